// What the samples of a connection on one side say: the series as it is, and its figures.
#pragma once

#include <cstddef>
#include <cstdint>

#include "common/stats/log_histogram.hpp"
#include "common/wire/records.hpp"
#include "decoder/measured.hpp"
#include "decoder/results.hpp"

namespace groma {

class ConnectionAnalyzer {
public:
    static constexpr std::size_t kMostSamples = 100'000;  ///< more are counted, not kept

    /// `start` of the run on this side's clock.
    ConnectionAnalyzer(LogRole side, WallTime start) : start_(start) { figures_.side = side; }

    /// In the order of the log.
    void add(const ConnectionSample& sample);

    /// `sent`: of the flow, for the figures of RFC 6349, which only the sender's side has; null: unknown.
    [[nodiscard]] ConnectionFigures figures(const SentFigures* sent) const;

private:
    WallTime start_;
    ConnectionFigures figures_;  ///< as far as it can be known sample by sample
    LogHistogram rtt_;
    LogHistogram cwnd_;
};

}  // namespace groma
