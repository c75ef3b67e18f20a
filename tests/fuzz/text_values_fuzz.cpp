// Single values of options and experiment files: refused with a message, or within their bounds and the same once
// written and read again. The input is "KIND TEXT"; after a zero byte come the lines of every file that the text names.
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <variant>

#include <nlohmann/json.hpp>

#include "common/access/limits.hpp"
#include "common/base/errors.hpp"
#include "common/cli/thread_options.hpp"
#include "common/json/json_record.hpp"
#include "common/model/distributions/distribution_check.hpp"
#include "common/model/distributions/distribution_json.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/experiment/requirement.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"
#include "common/model/transport/port_range.hpp"
#include "common/model/transport/transport_options.hpp"
#include "tests/fuzz/expect_message.hpp"
#include "tests/fuzz/lines_of_input.hpp"

namespace {

using namespace groma;  // a program of one file

struct Input {
    std::string_view text;
    NamedFiles files;
};

/// Reads the text with `parse`, and ends if that refuses it. Otherwise `write` makes it a text that reads the same.
/// Returns: the value.
auto there_and_back(std::string_view text, const auto& parse, const auto& write) {
    const auto value = parse(text);
    const std::string again = write(value);
    check(parse(again) == value, "a value is lost in its text");
    return value;
}

void expect_bounded(double value, double most) {
    check(std::isfinite(value) and value >= 0 and value <= most, "a value is beyond its bounds");
}

void number(const Input& input) {
    expect_bounded(there_and_back(input.text, parse_number, number_to_string), std::numeric_limits<double>::max());
}

void time(const Input& input) {
    expect_bounded(there_and_back(
                       input.text, [](std::string_view text) { return parse_time_ns(text); }, time_to_string),
                   kLargestValue);
}

void gap(const Input& input) {
    const auto parse = [](std::string_view text) { return parse_gap_ns(text); };
    expect_bounded(there_and_back(input.text, parse, gap_to_string), kLargestValue);
}

void duration(const Input& input) {
    const Nanos span = there_and_back(input.text, parse_duration, duration_to_string);
    expect_bounded(static_cast<double>(span.count()), kLargestValue);
}

void bytes(const Input& input) {
    const auto write = [](Bytes value) { return to_string(value); };
    const Bytes value = there_and_back(input.text, parse_bytes, write);
    check(value.count <= std::uint64_t{1} << 62U, "so many bytes are no more than 2^62");
}

void rate(const Input& input) {
    const Rate value = parse_rate(input.text);
    const auto* const packets = std::get_if<PacketRate>(&value);
    const double number = packets != nullptr ? packets->pps : std::get<BitRate>(value).bps;
    check(std::isfinite(number) and number > 0, "a rate sends");
    check(parse_rate(number_to_string(number) + (packets != nullptr ? "pps" : "bps")) == value, "a rate is lost");
}

using ParseDistribution = Distribution (*)(std::string_view, const NamedFiles&);

template <ParseDistribution parse, std::string (*write)(const Distribution&)>
void distribution(const Input& input) {
    const auto parse_here = [&](std::string_view text) { return parse(text, input.files); };
    const Distribution value = there_and_back(input.text, parse_here, write);
    check(parameter_error(value).empty(), "a distribution has an error");
    // The path of a file is bytes, the rest of a distribution is numbers: JSON has those that are text.
    const std::string json = to_json(value).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    check(json.find("\ufffd") != std::string::npos or from_json<Distribution>(nlohmann::json::parse(json)) == value,
          "a distribution is lost in its JSON");
}

void target(const Input& input) {
    const Target value = there_and_back(
        input.text, [](std::string_view text) { return parse_target(text); },
        [](const Target& one) { return to_string(one); });
    check(not value.host.empty() and value.control_port > 0, "a target has a host and a port");
}

void receivers(const Input& input) {
    FlowSpec spec;
    set_receivers(spec, input.text);
    std::string text = to_string(spec.target);
    for (const Target& one : spec.also_to) {
        text.append(",").append(to_string(one));
    }
    FlowSpec again;
    set_receivers(again, text);
    check(again == spec, "receivers are lost in their text");
}

void payload(const Input& input) {
    const auto parse = [&](std::string_view text) { return parse_payload(text, input.files); };
    there_and_back(input.text, parse, [](const std::string& value) { return value; });
}

void lateness(const Input& input) {
    there_and_back(input.text, parse_lateness, [](LatenessPolicy policy) { return std::string(to_string(policy)); });
}

void meter(const Input& input) {
    check((parse_meter(input.text) == Meter::round_trip) == (input.text == "round-trip"), "a meter is another");
}

void require(const Input& input) {
    const auto write = [](const std::vector<Requirement>& all) { return to_string(all); };
    for (const Requirement& one : there_and_back(input.text, parse_requirements, write)) {
        expect_bounded(one.limit, row_of(one.figure).unit == RequiredUnit::time_ns
                                      ? kLargestValue
                                      : std::numeric_limits<double>::max());
    }
}

void ports(const Input& input) {
    const auto write = [](const PortRange& range) { return to_string(range); };
    const PortRange range = there_and_back(input.text, parse_port_range, write);
    check(range.first > 0 and range.first <= range.last, "a range of ports has a port");
}

void cores(const Input& input) {
    check(there_and_back(input.text, parse_cores, cores_to_string).size() <= 8192, "no machine has so many cores");
}

/// KEY=VALUE
void option(const Input& input) {
    const std::string_view key = input.text.substr(0, input.text.find('='));
    for (const TransportOptionRow& row : transport_option_rows()) {
        if (row.key != key or key.size() == input.text.size()) {
            continue;
        }
        TransportOptions options;
        row.set(options, input.text.substr(key.size() + 1));
        TransportOptions again;
        row.set(again, row.get(options).value());
        check(again == options, "an option is lost in its text");
    }
}

void limits(const Input& input) {
    const Limits value = there_and_back(input.text, parse_limits, [](const Limits& it) { return to_string(it); });
    const SocketAddress group = SocketAddress::from_literal("224.0.0.251", 5353);
    check(not misdirection_in_words(value, group).empty() or value.to.contain(group),
          "a group was allowed by no network");
}

struct Kind {
    std::string_view word;
    void (*look)(const Input&);
};

constexpr std::array kKinds{
    Kind{"number", number},
    Kind{"time", time},
    Kind{"gap", gap},
    Kind{"duration", duration},
    Kind{"bytes", bytes},
    Kind{"rate", rate},
    Kind{"idt", distribution<parse_idt, idt_to_string>},
    Kind{"period", distribution<parse_period, period_to_string>},
    Kind{"size", distribution<parse_size, size_to_string>},
    Kind{"target", target},
    Kind{"receivers", receivers},
    Kind{"payload", payload},
    Kind{"lateness", lateness},
    Kind{"meter", meter},
    Kind{"require", require},
    Kind{"ports", ports},
    Kind{"cores", cores},
    Kind{"option", option},
    Kind{"limits", limits},
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view input(reinterpret_cast<const char*>(data), size);
    const std::string_view line = input.substr(0, input.find('\0'));
    const std::string_view word = line.substr(0, line.find(' '));
    if (word.size() == line.size()) {
        return -1;
    }
    for (const Kind& kind : kKinds) {
        if (kind.word == word) {
            try {
                kind.look({line.substr(word.size() + 1), lines_of_input(input)});
            } catch (const UsageError& error) {
                expect_message(error.what());
            }
            return 0;
        }
    }
    return -1;  // no corpus needs it
}
