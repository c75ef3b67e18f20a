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

/// How the gaps between departures are distributed about the mean that a rate asks for.
enum class GapFamily : std::uint8_t { constant, exponential, uniform, normal, pareto, gamma, weibull };

/// Which logs are kept while a point is measured.
enum class LoggingWay : std::uint8_t { off, local, tcp, udp };

/// "const", "exp", "unif", ... as in --idt.
[[nodiscard]] std::string_view to_string(GapFamily family);
/// "off", "local", "tcp", "udp".
[[nodiscard]] std::string_view to_string(LoggingWay way);
/// Throws: UsageError.
[[nodiscard]] GapFamily parse_gap_family(std::string_view text);
[[nodiscard]] LoggingWay parse_logging_way(std::string_view text);

/// Of what a user may ask for and a database may have.
namespace calibration_limits {
inline constexpr double kLowestRate = 1;  ///< packets per second
inline constexpr double kHighestRate = 1e8;
inline constexpr std::uint64_t kLargestSize = 65'507;
inline constexpr unsigned kMostRepetitions = 100;
inline constexpr Nanos kShortestPoint = std::chrono::milliseconds(50);
inline constexpr Nanos kLongestPoint = std::chrono::minutes(1);
}  // namespace calibration_limits

/// What the user asked for; what is absent is chosen (calibration/plan.hpp).
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
    std::optional<Nanos> wait;  ///< at the end of a point, for packets that are still on their way
};

[[nodiscard]] std::span<const SenderOption> calibration_option_rows();

/// Returns: whether there is --calibrate. What describes a run of one's own is an error with it, and its own options
/// are without it.
[[nodiscard]] bool read_calibration(const CommandLine& line, UsageErrors& errors, SenderOptions& options);

}  // namespace groma
