#include "sender/options/calibration_options.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <limits>
#include <string>
#include <utility>

#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "sender/options/option_rows.hpp"
#include "sender/options/sender_option_table.hpp"

namespace groma {

namespace {

constexpr std::array<std::pair<std::string_view, GapFamily>, 7> kFamilies{{{"const", GapFamily::constant},
                                                                           {"exp", GapFamily::exponential},
                                                                           {"unif", GapFamily::uniform},
                                                                           {"normal", GapFamily::normal},
                                                                           {"pareto", GapFamily::pareto},
                                                                           {"gamma", GapFamily::gamma},
                                                                           {"weibull", GapFamily::weibull}}};
constexpr std::array<std::pair<std::string_view, LoggingWay>, 4> kWays{
    {{"off", LoggingWay::off}, {"local", LoggingWay::local}, {"tcp", LoggingWay::tcp}, {"udp", LoggingWay::udp}}};

using namespace calibration_limits;

constexpr std::uint64_t kMostPorts = 65'535;
constexpr Nanos kLongestWait = std::chrono::minutes(1);
constexpr Nanos kShortestBudget = std::chrono::seconds(1);
constexpr Nanos kLongestBudget = std::chrono::hours(24);

template <typename Value, std::size_t size>
Value named(const std::array<std::pair<std::string_view, Value>, size>& names, std::string_view text,
            const std::string& what) {
    const auto found = std::ranges::find(names, text, &std::pair<std::string_view, Value>::first);
    if (found != names.end()) {
        return found->second;
    }
    std::string all;
    for (const auto& [name, value] : names) {
        all.append(all.empty() ? "" : ", ").append(name);
    }
    throw UsageError("unknown " + what + " '" + std::string(text) + "' (use some of " + all + ")");
}

template <typename Value, std::size_t size>
std::string_view name_of(const std::array<std::pair<std::string_view, Value>, size>& names, Value value) {
    return std::ranges::find(names, value, &std::pair<std::string_view, Value>::second)->first;
}

/// The pieces of a list, each once, in the order given.
template <typename Parse>
auto parse_list(std::string_view text, Parse parse) {
    std::vector<decltype(parse(text))> values;
    for (const std::string_view piece : split_list(text)) {
        const auto value = parse(piece);
        if (std::ranges::find(values, value) == values.end()) {
            values.push_back(value);
        }
    }
    return values;
}

double parse_point_rate(std::string_view text) {
    const bool bare = not text.empty() and text.find_first_not_of("0123456789") == std::string_view::npos;
    const Rate rate = parse_rate(std::string(text).append(bare ? "pps" : ""));
    const auto* packets = std::get_if<PacketRate>(&rate);
    if (packets == nullptr or packets->pps < kLowestRate or packets->pps > kHighestRate) {
        throw UsageError("'" + std::string(text) +
                         "' is not a rate for a point: use packets per second, such as 10kpps");
    }
    return packets->pps;
}

std::uint32_t parse_point_size(std::string_view text) {
    const Bytes size = parse_bytes(text);
    if (size.count == 0 or size.count > kLargestSize) {
        throw UsageError("'" + std::string(text) + "' is not a size for a point: use bytes of payload, 1 to 65507");
    }
    return static_cast<std::uint32_t>(size.count);
}

auto span_between(Nanos low, Nanos high) {
    return [low, high](std::string_view text) {
        const Nanos span = parse_duration(text);
        if (span < low or span > high) {
            throw UsageError("'" + std::string(text) + "' is out of range: use a time from " + duration_to_string(low) +
                             " to " + duration_to_string(high));
        }
        return span;
    };
}

void refuse_others(const CommandLine& line, Mistakes& mistakes) {
    for (const std::string_view option :
         sender_options_without(option_use::of_calibration | option_use::with_calibration)) {
        if (line.has(option)) {
            mistakes.add(std::string(option) +
                         " cannot be given with --calibrate, which chooses itself what it sends and keeps");
        }
    }
    if (not line.words().empty()) {
        mistakes.add("--calibrate chooses itself what it sends: leave out " + line.words().front());
    }
}

void read_sweep(const CommandLine& line, Mistakes& mistakes, CalibrationArguments& arguments) {
    arguments.rates_pps =
        mistakes.parsed(line, "--rates", [](std::string_view text) { return parse_list(text, parse_point_rate); })
            .value_or(arguments.rates_pps);
    std::ranges::sort(arguments.rates_pps);
    arguments.sizes_bytes =
        mistakes.parsed(line, "--sizes", [](std::string_view text) { return parse_list(text, parse_point_size); })
            .value_or(arguments.sizes_bytes);
    arguments.distributions =
        mistakes
            .parsed(line, "--distributions", [](std::string_view text) { return parse_list(text, parse_gap_family); })
            .value_or(arguments.distributions);
    arguments.loggings =
        mistakes.parsed(line, "--loggings", [](std::string_view text) { return parse_list(text, parse_logging_way); })
            .value_or(arguments.loggings);
    if (const auto repetitions = mistakes.number(line, "--repetitions", 1, kMostRepetitions)) {
        arguments.repetitions = static_cast<unsigned>(*repetitions);
    }
    arguments.point_time = mistakes.parsed(line, "--point-time", span_between(kShortestPoint, kLongestPoint));
}

void read_receiver(const CommandLine& line, Mistakes& mistakes, CalibrationArguments& arguments) {
    if (not line.has("--to")) {
        mistakes.add(
            "--calibrate needs a receiver: start groma-recv on the other host and name it with --to HOST (to measure "
            "this host alone, start it here: --to localhost)");
    }
    const auto port = mistakes.number(line, "--control-port", 1, kMostPorts);
    const auto usual_port = static_cast<std::uint16_t>(port.value_or(Target().control_port));
    arguments.to =
        mistakes.parsed(line, "--to", [usual_port](std::string_view text) { return parse_target(text, usual_port); })
            .value_or(arguments.to);
    arguments.transport = mistakes.parsed(line, "--transport", parse_transport).value_or(arguments.transport);
}

}  // namespace

std::string_view to_string(GapFamily family) {
    return name_of(kFamilies, family);
}

std::string_view to_string(LoggingWay way) {
    return name_of(kWays, way);
}

GapFamily parse_gap_family(std::string_view text) {
    return named(kFamilies, text, "distribution of gaps");
}

LoggingWay parse_logging_way(std::string_view text) {
    return named(kWays, text, "way of logging");
}

std::optional<CalibrationArguments> read_calibration(const CommandLine& line, Mistakes& mistakes) {
    if (not line.has("--calibrate")) {
        for (const std::string_view option : sender_options(option_use::of_calibration)) {
            if (line.has(option)) {
                mistakes.add(std::string(option) + " requires --calibrate");
            }
        }
        return std::nullopt;
    }
    refuse_others(line, mistakes);
    CalibrationArguments arguments;
    read_receiver(line, mistakes, arguments);
    arguments.out = line.value("--out").value_or(arguments.out.string());
    arguments.quick = line.has("--quick");
    arguments.max_time = mistakes.parsed(line, "--max-time", span_between(kShortestBudget, kLongestBudget));
    arguments.seed = mistakes.number(line, "--seed", 0, std::numeric_limits<std::int64_t>::max());
    arguments.lateness = mistakes.parsed(line, "--lateness", parse_lateness).value_or(arguments.lateness);
    arguments.wait = mistakes.parsed(line, "--wait", span_between(Nanos(0), kLongestWait));
    read_sweep(line, mistakes, arguments);
    const bool shipped = std::ranges::any_of(
        arguments.loggings, [](LoggingWay way) { return way == LoggingWay::tcp or way == LoggingWay::udp; });
    if (shipped and not line.has("--log-server")) {
        mistakes.add("--loggings tcp and udp need a log server: start groma-log and name it with --log-server HOST");
    }
    return arguments;
}

}  // namespace groma
