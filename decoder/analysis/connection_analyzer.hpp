// What the samples of a connection on one side say: the series as it is, and its figures.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "common/stats/histograms/log_histogram.hpp"
#include "common/wire/records.hpp"
#include "decoder/analysis/bottleneck_rate.hpp"
#include "decoder/results/measured.hpp"
#include "decoder/results/results.hpp"
#include "decoder/results/selection.hpp"

namespace groma {

class ConnectionAnalyzer {
public:
    static constexpr std::size_t kMostSamples = 36'000;  ///< more are counted, not kept

    /// `start` of the run on this side's clock.
    ConnectionAnalyzer(LogRole side, WallTime start) : start_(start) { figures_.side = side; }

    /// Only samples of this time. Before all samples.
    void only(const Selection& selection) { selection_ = selection; }

    /// In the order of the log.
    void add(const ConnectionSample& sample);

    /// `sent`, `received`: of the flow, for the figures of RFC 6349, which only the sender's side has; null: unknown.
    /// `bottleneck_bps`: payload that the path carries at most; empty: unknown.
    [[nodiscard]] ConnectionFigures figures(const SentFigures* sent, const ReceivedFigures* received,
                                            std::optional<double> bottleneck_bps = {}) const;

private:
    void add_acknowledged(const ConnectionSample& sample);
    /// RFC 6349, section 4, of a sender. `bottleneck_bps`: as for figures().
    void add_rfc6349(ConnectionFigures& figures, const SentFigures& sent, const ReceivedFigures* received,
                     std::optional<double> bottleneck_bps) const;

    WallTime start_;
    Selection selection_;
    std::optional<std::uint64_t> retransmitted_before_;  ///< what was selected
    std::optional<std::uint64_t> retransmitted_bytes_before_;
    ConnectionFigures figures_;  ///< as far as it can be known sample by sample
    LogHistogram rtt_;
    LogHistogram loaded_rtt_;  ///< with data in flight
    BottleneckRate bottleneck_;
    std::optional<ConnectionSample> first_acknowledged_;  ///< the last one before the acknowledged bytes grew
    std::optional<ConnectionSample> last_acknowledged_;   ///< the first one with all bytes that were acknowledged
    LogHistogram cwnd_;
};

}  // namespace groma
