// What the narrowest hop of a connection's path carries, by the samples of a sender that kept it busy.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "common/wire/records.hpp"

namespace groma {

/// Bits of payload per second that were acknowledged from one sample to a later one; empty where either does not tell
/// what was acknowledged, and where no time is between them.
[[nodiscard]] std::optional<double> acknowledged_bps(const ConnectionSample& from, const ConnectionSample& until);

/// The highest rate over kSamples consecutive samples for which the flow had enough to send, and data in flight
/// (docs/reference/metrics.md): the lesser of two estimates for the same time, which err for different reasons. One is
/// the mean of the kernel's delivery rates, which scatter. The other is what was acknowledged between the first and the
/// last of these samples, which is more than was delivered right after a loss was repaired.
class BottleneckRate {
public:
    static constexpr std::size_t kSamples = 10;

    /// In the order of the log.
    void add(const ConnectionSample& sample);

    /// Bits of payload per second; empty: there were never so many such samples in a row.
    [[nodiscard]] std::optional<double> bps() const { return highest_bps_; }

private:
    std::vector<ConnectionSample> row_;  ///< the latest ones, at most kSamples
    std::optional<double> highest_bps_;
};

}  // namespace groma
