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
#include "sender/options/sender_options.hpp"

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

/// The distinct items of a list, in order.
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

std::vector<double> parse_point_rates(std::string_view text) {
    std::vector<double> rates = parse_list(text, parse_point_rate);
    std::ranges::sort(rates);
    return rates;
}

Nanos parse_span_between(std::string_view text, Nanos low, Nanos high) {
    const Nanos span = parse_duration(text);
    if (span < low or span > high) {
        throw UsageError("'" + std::string(text) + "' is out of range: use a time from " + duration_to_string(low) +
                         " to " + duration_to_string(high));
    }
    return span;
}

void refuse_others(const CommandLine& line, UsageErrors& errors) {
    for (const std::string_view option :
         sender_options_without(option_use::of_calibration | option_use::with_calibration)) {
        if (line.has(option)) {
            errors.add(std::string(option) +
                       " cannot be given with --calibrate, which chooses itself what it sends and keeps");
        }
    }
    if (not line.words().empty()) {
        errors.add("--calibrate chooses itself what it sends: leave out " + line.words().front());
    }
}

void read_receiver(const CommandLine& line, UsageErrors& errors, CalibrationArguments& arguments) {
    if (not line.has("--to")) {
        errors.add(
            "--calibrate needs a receiver: start groma-recv on the other host and name it with --to HOST (to measure "
            "this host alone, start it here: --to localhost)");
    }
    const auto port = errors.number(line, "--control-port", 1, kMostPorts);
    const auto usual_port = static_cast<std::uint16_t>(port.value_or(Target().control_port));
    arguments.to =
        errors.parsed(line, "--to", [usual_port](std::string_view text) { return parse_target(text, usual_port); })
            .value_or(arguments.to);
    arguments.transport = errors.parsed(line, "--transport", parse_transport).value_or(arguments.transport);
}

using namespace option_use;
using option_group::kCalibration;

constexpr auto kCalibrationRows = std::to_array<SenderOption>({
    {{"--calibrate", ValueKind::none, "", kCalibration,
      "measure what this host and the receiver of --to keep and what it costs, and write their data sheet",
      "These are rates, lateness, gaps, loss, logging. The data sheet is printed; it stays in the folder "
      "of --out with "
      "its database and, by groma-plot(1), its pictures. The load is real. A calibration that was stopped "
      "goes on when "
      "the same command is given again. Options that describe flows, logs or the report cannot be given; "
      "those of the "
      "sender's threads, --transport, --lateness, --seed, --wait and --log-server can."},
     with_calibration},
    {{"--out", ValueKind::required, "DIR", kCalibration,
      "the folder of the sheet, its database and its pictures; what is measured there is not measured again "
      "(default: calibration)",
      "What another pair of hosts, other settings or another way of sending have left there is refused."},
     of_calibration,
     [](SenderOptions& o, const OptionValue& v) { o.calibration->out = v.text; }},
    {{"--quick", ValueKind::none, "", kCalibration, "a coarse one of a minute or two"},
     of_calibration,
     [](SenderOptions& o, const OptionValue& /*v*/) { o.calibration->quick = true; }},
    {{"--max-time", ValueKind::required, "TIME", kCalibration,
      "plan for so long, and begin no point after that (default: plan for 20min, or 2min with --quick)"},
     of_calibration,
     [](SenderOptions& o, const OptionValue& v) {
         o.calibration->max_time = parse_span_between(v.text, kShortestBudget, kLongestBudget);
     },
     ReadTurn::early},
    {{"--rates", ValueKind::required, "LIST", kCalibration,
      "packets per second to ask for: 500,1kpps (default: 1, 2, 5 of each decade from 100 on)",
      "Nothing beyond the highest is tried."},
     of_calibration,
     [](SenderOptions& o, const OptionValue& v) { o.calibration->rates_pps = parse_point_rates(v.text); }},
    {{"--sizes", ValueKind::required, "LIST", kCalibration, "bytes of payload (default: 64,512,1472)"},
     of_calibration,
     [](SenderOptions& o, const OptionValue& v) { o.calibration->sizes_bytes = parse_list(v.text, parse_point_size); }},
    {{"--distributions", ValueKind::required, "LIST", kCalibration,
      "distributions of the gaps: const,exp,unif,normal,pareto,gamma,weibull (default: all)"},
     of_calibration,
     [](SenderOptions& o, const OptionValue& v) {
         o.calibration->distributions = parse_list(v.text, parse_gap_family);
     }},
    {{"--loggings", ValueKind::required, "LIST", kCalibration,
      "ways of logging: off, local, and with --log-server tcp, udp (default: all)"},
     of_calibration,
     [](SenderOptions& o, const OptionValue& v) { o.calibration->loggings = parse_list(v.text, parse_logging_way); }},
    {{"--repetitions", ValueKind::required, "N", kCalibration,
      "repetitions of each point (default: what the time allows, up to 5)"},
     of_calibration,
     [](SenderOptions& o, const OptionValue& v) {
         o.calibration->repetitions = static_cast<unsigned>(parse_whole_number(v.text, 1, kMostRepetitions));
     }},
    {{"--point-time", ValueKind::required, "TIME", kCalibration,
      "a point's shortest duration; low rates take up to five times that (default: 1s, or 0.5s with "
      "--quick)"},
     of_calibration,
     [](SenderOptions& o, const OptionValue& v) {
         o.calibration->point_time = parse_span_between(v.text, kShortestPoint, kLongestPoint);
     }},
});

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

std::span<const SenderOption> calibration_option_rows() {
    return kCalibrationRows;
}

bool read_calibration(const CommandLine& line, UsageErrors& errors, SenderOptions& options) {
    if (not line.has("--calibrate")) {
        for (const std::string_view option : sender_options(of_calibration)) {
            if (line.has(option)) {
                errors.add(std::string(option) + " requires --calibrate");
            }
        }
        return false;
    }
    refuse_others(line, errors);
    CalibrationArguments& arguments = options.calibration.emplace();
    read_receiver(line, errors, arguments);
    read_options(line, errors, options, of_calibration, ReadTurn::early);
    arguments.seed = errors.number(line, "--seed", 0, std::numeric_limits<std::int64_t>::max());
    arguments.lateness = errors.parsed(line, "--lateness", parse_lateness).value_or(arguments.lateness);
    arguments.wait = errors.parsed(
        line, "--wait", [](std::string_view text) { return parse_span_between(text, Nanos(0), kLongestWait); });
    read_options(line, errors, options, of_calibration);
    const bool shipped = std::ranges::any_of(
        arguments.loggings, [](LoggingWay way) { return way == LoggingWay::tcp or way == LoggingWay::udp; });
    if (shipped and not line.has("--log-server")) {
        errors.add("--loggings tcp and udp need a log server: start groma-log and name it with --log-server HOST");
    }
    return true;
}

}  // namespace groma
