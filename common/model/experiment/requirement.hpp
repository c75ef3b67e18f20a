// Conditions that a run must meet to count as a success: "rate=0.1%,lateness-p99=20us" (docs/reference/metrics.md).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace groma {

/// Figures of a flow that can have a largest allowed value.
enum class RequiredFigure : std::uint8_t {
    rate,
    lateness_p50,
    lateness_p90,
    lateness_p99,
    lateness_p99_9,
    lateness_max,
    gap_p50,
    gap_p90,
    gap_p99,
    gap_p99_9,
    gap_max,
    gap_variation,
    lambda2,
    ks,
    a2,
    behind,
    batched,
    loss,
    missed,
    unsent,
    delay_p50,
    delay_p90,
    delay_p99,
    delay_p99_9,
    delay_max,
    jitter,
    rtt_p50,
    rtt_p90,
    rtt_p99,
    rtt_p99_9,
    rtt_max,
};

enum class RequiredUnit : std::uint8_t {
    share,  ///< at most 1
    ratio,  ///< can be above 1; written like a share
    time_ns,
    number,
};

struct RequiredFigureRow {
    RequiredFigure figure;
    std::string_view word;  ///< "lateness-p99"
    RequiredUnit unit;
    std::string_view what;  ///< "the p99 of lateness"
};

/// All of them, in the order of the enumeration.
[[nodiscard]] std::span<const RequiredFigureRow> required_figures();
[[nodiscard]] const RequiredFigureRow& row_of(RequiredFigure figure);

/// The figure of every flow must not exceed the limit.
struct Requirement {
    RequiredFigure figure = RequiredFigure::rate;
    double limit = 0;  ///< a share of 1, nanoseconds, or a number
    bool operator==(const Requirement&) const = default;
};

/// "lateness-p99" and "20us". Shares are written as "0.1%" or 0.001. Throws: UsageError with what is right.
[[nodiscard]] Requirement parse_requirement(std::string_view word, std::string_view limit);

/// "rate=0.1%,lateness-p99=20us". Throws: UsageError, also for a repeated figure.
[[nodiscard]] std::vector<Requirement> parse_requirements(std::string_view text);

/// Text that parse_requirements reads back to the same.
[[nodiscard]] std::string to_string(const std::vector<Requirement>& requirements);

}  // namespace groma
