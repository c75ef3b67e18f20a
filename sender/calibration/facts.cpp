#include "sender/calibration/facts.hpp"

#include <algorithm>
#include <charconv>

#include "common/base/errors.hpp"
#include "common/cli/thread_options.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

template <typename Values, typename ToText>
std::string joined(const Values& values, ToText to_text) {
    std::string text;
    for (const auto& value : values) {
        text.append(text.empty() ? "" : ",").append(to_text(value));
    }
    return text;
}

template <typename Parse>
auto split(const std::string& text, Parse parse) {
    const std::vector<std::string_view> pieces = split_list(text);
    std::vector<decltype(parse(pieces.front()))> values;
    values.reserve(pieces.size());
    for (const std::string_view piece : pieces) {
        values.push_back(parse(piece));
    }
    return values;
}

const std::string& at(const Facts& facts, const std::string& name) {
    const auto found = facts.find(name);
    if (found == facts.end()) {
        throw UsageError("the setting '" + name + "' is missing");
    }
    return found->second;
}

std::uint64_t whole(std::string_view text) {
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() or end != text.data() + text.size()) {
        throw UsageError("'" + std::string(text) + "' is not a whole number");
    }
    return value;
}

std::uint32_t size_of(std::string_view text) {
    const std::uint64_t size = whole(text);
    if (size == 0 or size > calibration_limits::kLargestSize) {
        throw UsageError("no packet has " + std::to_string(size) + " bytes of payload");
    }
    return static_cast<std::uint32_t>(size);
}

unsigned repetitions_of(std::string_view text) {
    const std::uint64_t repetitions = whole(text);
    if (repetitions == 0 or repetitions > calibration_limits::kMostRepetitions) {
        throw UsageError("there are no " + std::to_string(repetitions) + " repetitions");
    }
    return static_cast<unsigned>(repetitions);
}

std::vector<double> rates_of(const std::string& text) {
    std::vector<double> rates = split(text, parse_number);
    const auto fits = [](double rate) {
        return rate >= calibration_limits::kLowestRate and rate <= calibration_limits::kHighestRate;
    };
    if (not std::ranges::all_of(rates, fits) or not std::ranges::is_sorted(rates)) {
        throw UsageError("'" + text + "' are not rates of a calibration");
    }
    return rates;
}

Nanos point_time_of(const std::string& text) {
    const Nanos time = parse_duration(text);
    if (time < calibration_limits::kShortestPoint or time > calibration_limits::kLongestPoint) {
        throw UsageError("no point takes " + text);
    }
    return time;
}

std::string name_of_family(GapFamily family) {
    return std::string(to_string(family));
}

std::string name_of_way(LoggingWay way) {
    return std::string(to_string(way));
}

/// Adds a difference if the option was given and differs.
void compare(std::vector<std::string>& out, bool asked, const std::string& option, const std::string& kept,
             const std::string& now) {
    if (asked and kept != now) {
        out.push_back(std::string(option).append(" is ").append(now).append(" now and was ").append(kept));
    }
}

}  // namespace

Facts settings_facts(const CalibrationSettings& settings) {
    return {{"transport", std::string(to_string(settings.transport))},
            {"quick", settings.quick ? "yes" : "no"},
            {"rates_pps", joined(settings.rates_pps, number_to_string)},
            {"sizes_bytes", joined(settings.sizes_bytes, [](std::uint32_t size) { return std::to_string(size); })},
            {"distributions", joined(settings.distributions, name_of_family)},
            {"loggings", joined(settings.loggings, name_of_way)},
            {"repetitions", std::to_string(settings.repetitions)},
            {"point_time", duration_to_string(settings.point_time)},
            {"seed", std::to_string(settings.seed)},
            {"lateness", std::string(to_string(settings.lateness))}};
}

CalibrationSettings settings_from(const Facts& facts) {
    CalibrationSettings settings;
    settings.transport = parse_transport(at(facts, "transport"));
    settings.quick = at(facts, "quick") == "yes";
    settings.rates_pps = rates_of(at(facts, "rates_pps"));
    settings.sizes_bytes = split(at(facts, "sizes_bytes"), size_of);
    settings.distributions = split(at(facts, "distributions"), parse_gap_family);
    settings.loggings = split(at(facts, "loggings"), parse_logging_way);
    settings.repetitions = repetitions_of(at(facts, "repetitions"));
    settings.point_time = point_time_of(at(facts, "point_time"));
    settings.seed = whole(at(facts, "seed"));
    settings.lateness = parse_lateness(at(facts, "lateness"));
    return settings;
}

std::vector<std::string> differences(const CalibrationSettings& kept, const CalibrationArguments& arguments) {
    CalibrationSettings now = kept;
    now.rates_pps = arguments.rates_pps;
    now.sizes_bytes = arguments.sizes_bytes;
    now.distributions = arguments.distributions;
    now.loggings = arguments.loggings;
    now.repetitions = arguments.repetitions.value_or(kept.repetitions);
    now.point_time = arguments.point_time.value_or(kept.point_time);
    now.seed = arguments.seed.value_or(kept.seed);
    now.transport = arguments.transport;
    now.quick = arguments.quick;
    now.lateness = arguments.lateness;
    const Facts before = settings_facts(kept);
    const Facts wanted = settings_facts(now);
    std::vector<std::string> out;
    compare(out, true, "--transport", before.at("transport"), wanted.at("transport"));
    compare(out, true, "--quick", before.at("quick"), wanted.at("quick"));
    compare(out, not arguments.rates_pps.empty(), "--rates", before.at("rates_pps"), wanted.at("rates_pps"));
    compare(out, not arguments.sizes_bytes.empty(), "--sizes", before.at("sizes_bytes"), wanted.at("sizes_bytes"));
    compare(out, not arguments.distributions.empty(), "--distributions", before.at("distributions"),
            wanted.at("distributions"));
    compare(out, not arguments.loggings.empty(), "--loggings", before.at("loggings"), wanted.at("loggings"));
    compare(out, true, "--repetitions", before.at("repetitions"), wanted.at("repetitions"));
    compare(out, true, "--point-time", before.at("point_time"), wanted.at("point_time"));
    compare(out, true, "--seed", before.at("seed"), wanted.at("seed"));
    compare(out, true, "--lateness", before.at("lateness"), wanted.at("lateness"));
    return out;
}

Facts option_facts(const SenderOptions& options) {
    const std::string none = "not given";
    const auto& server = options.log_server;
    const auto& wait = options.calibration ? options.calibration->wait : std::nullopt;
    return {{"--threads", options.threads == 0 ? "auto" : std::to_string(options.threads)},
            {"--pin", options.pin.empty() ? none : cores_to_string(options.pin)},
            {"--realtime", std::string(to_string(options.realtime))},
            {"--log-server", server ? server->host + ':' + std::to_string(server->port) : none},
            {"--log-rate", options.log_rate ? std::to_string(*options.log_rate) + " B/s" : none},
            {"--log-block", std::to_string(options.block_records)},
            {"--wait", wait ? duration_to_string(*wait) : none}};
}

std::vector<std::string> option_differences(const Facts& kept, const Facts& now) {
    std::vector<std::string> out;
    for (const auto& [name, value] : now) {
        const auto before = kept.find(name);
        compare(out, true, name, before == kept.end() ? "not known" : before->second, value);
    }
    return out;
}

std::vector<std::string> differences(const Facts& kept, const Facts& now, const std::vector<std::string>& identity,
                                     const std::string& whose) {
    std::vector<std::string> out;
    for (const std::string& name : identity) {
        const auto before = kept.find(name);
        const auto after = now.find(name);
        if (before != kept.end() and after != now.end() and before->second != after->second) {
            out.push_back("the " + whose + "'s " + name + " is '" + after->second + "' now and was '" + before->second +
                          "'");
        }
    }
    return out;
}

}  // namespace groma
