// What a report of the sender says about clocks: how each receiver's runs against this host's, and what happened to
// this host's own meanwhile. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/log/run_metadata.hpp"
#include "common/stats/clock/clock_fit.hpp"

namespace groma {

/// Of a receiver's clock against the sender's, from the probes.
struct OffsetReport {
    Nanos offset{0};  ///< when the run began
    Nanos bound{0};   ///< |error| of the corrected offset at any time of the run
    double skew_ppm = 0;
    double skew_error_ppm = 0;
    std::vector<ClockStep> steps{};
    std::uint64_t probes = 0;
    bool operator==(const OffsetReport&) const = default;
};

/// This host's wall clock was set while the run went on.
struct OwnStep {
    WallTime at{};  ///< when it was noticed, on the clock as it was then
    Nanos size{0};
    bool operator==(const OwnStep&) const = default;
};

/// Over a run from one time to another on the sender's clock; nothing without a usable probe.
[[nodiscard]] std::optional<OffsetReport> offset_report(std::span<const ClockProbe> probes, WallTime begin,
                                                        WallTime end);

/// "clock differs by 1.2 ms, at most 30 us off, and gains 12.1 +- 0.4 ppm; it stepped by ..."
[[nodiscard]] std::string describe(const OffsetReport& offset);

/// docs/reference/report-json.md
[[nodiscard]] nlohmann::json to_json(const OffsetReport& offset);
[[nodiscard]] nlohmann::json to_json(const OwnStep& step);

}  // namespace groma
