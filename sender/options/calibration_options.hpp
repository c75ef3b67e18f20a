// The options of groma-send --calibrate (docs/guide/calibration.md).
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/time/instant.hpp"
#include "sender/options/option_rows.hpp"

namespace groma {

/// The distribution of gaps around the mean 1/rate.
enum class GapFamily : std::uint8_t { constant, exponential, uniform, normal, pareto, gamma, weibull };

/// The logging while a point is measured.
enum class LoggingWay : std::uint8_t { off, local, tcp, udp };

/// "const", "exp", "unif", ... as in --idt.
[[nodiscard]] std::string_view to_string(GapFamily family);
/// "off", "local", "tcp", "udp".
[[nodiscard]] std::string_view to_string(LoggingWay way);
/// Throws: UsageError.
[[nodiscard]] GapFamily parse_gap_family(std::string_view text);
[[nodiscard]] LoggingWay parse_logging_way(std::string_view text);

/// Limits on the user's arguments and on a database.
namespace calibration_limits {
inline constexpr double kLowestRate = 1;  ///< packets per second
inline constexpr double kHighestRate = 1e8;
inline constexpr std::uint64_t kLargestSize = 65'507;
inline constexpr unsigned kMostRepetitions = 100;
inline constexpr Nanos kShortestPoint = std::chrono::milliseconds(50);
inline constexpr Nanos kLongestPoint = std::chrono::minutes(1);
}  // namespace calibration_limits

/// The user's arguments; absent ones get defaults (calibration/calibration_plan.hpp).
struct CalibrationArguments {
    Target to;
    Transport transport = Transport::udp;
    std::filesystem::path out = "calibration";
    bool quick = false;
    std::optional<Nanos> max_time;
    std::vector<double> rates_pps;
    std::vector<std::uint32_t> sizes_bytes;
    std::vector<GapFamily> distributions;
    std::vector<LoggingWay> loggings;
    std::optional<unsigned> repetitions;
    std::optional<Nanos> point_time;
    std::optional<std::uint64_t> seed;
    LatenessPolicy lateness = LatenessPolicy::catch_up;
    std::optional<Nanos> wait;  ///< at the end of a point, for packets still in flight
};

[[nodiscard]] std::span<const SenderOption> calibration_option_rows();

/// Returns: whether --calibrate was given. With it, options that describe a run are errors; without it, its own options
/// are.
[[nodiscard]] bool read_calibration(const CommandLine& line, UsageErrors& errors, SenderOptions& options);

}  // namespace groma
