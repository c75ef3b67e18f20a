// The transport's round-trip times in the last seconds of a flow: what its packets met once its load was there.
#pragma once

#include <utility>
#include <vector>

#include "common/stats/histograms/log_histogram.hpp"
#include "common/time/instant.hpp"

namespace groma {

class LateRtts {
public:
    /// Four intervals of a second (draft-ietf-ippm-responsiveness: moving average distance).
    static constexpr Nanos kLast = std::chrono::seconds(4);

    /// `at` does not go back.
    void note(MonoTime at, Nanos rtt) {
        std::erase_if(kept_, [at](const auto& kept) { return kept.first < at - kLast; });
        kept_.emplace_back(at, rtt);
    }

    [[nodiscard]] LogHistogram histogram() const {
        LogHistogram all;
        for (const auto& [at, rtt] : kept_) {
            all.add(rtt.count());
        }
        return all;
    }

private:
    std::vector<std::pair<MonoTime, Nanos>> kept_;
};

}  // namespace groma
