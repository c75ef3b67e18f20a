#include "common/model/flow_json.hpp"

#include <cstddef>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <variant>

#include "common/base/errors.hpp"
#include "common/model/distribution_json.hpp"
#include "common/model/flow_text.hpp"
#include "common/model/json_field.hpp"

namespace groma {

namespace {

using nlohmann::json;

constexpr std::size_t kMaxNameBytes = 255;
constexpr std::size_t kMaxPayloadText = 4096;
constexpr std::uint64_t kMaxCount = std::numeric_limits<std::uint64_t>::max();
constexpr std::uint64_t kMaxSpanNs = std::uint64_t{1} << 62U;
constexpr std::uint64_t kMaxPort = 65535;

std::string_view to_text(HeaderLevel level) {
    return level == HeaderLevel::full ? "full" : level == HeaderLevel::sequence ? "sequence" : "none";
}

HeaderLevel header_from(const json& object) {
    const std::string text = string_field(object, "header", kMaxNameBytes);
    for (const HeaderLevel level : {HeaderLevel::full, HeaderLevel::sequence, HeaderLevel::none}) {
        if (text == to_text(level)) {
            return level;
        }
    }
    throw UsageError("field 'header' is none of full, sequence, none");
}

std::string_view to_text(Meter meter) {
    return meter == Meter::round_trip ? "round-trip" : "one-way";
}

Meter meter_from(const json& object) {
    if (optional_field(object, "meter") == nullptr) {
        return Meter::one_way;
    }
    return parse_meter(string_field(object, "meter", kMaxNameBytes));
}

LatenessPolicy lateness_from(const json& object) {
    if (optional_field(object, "lateness") == nullptr) {
        return LatenessPolicy::catch_up;
    }
    return parse_lateness(string_field(object, "lateness", kMaxNameBytes));
}

json to_json(const TransportOptions& options) {
    json object = json::object();
    for (const TransportOptionRow& row : transport_option_rows()) {
        if (const auto text = row.get(options)) {
            object[std::string(row.key)] = *text;
        }
    }
    return object;
}

TransportOptions options_from(const json& object) {
    TransportOptions options;
    for (const TransportOptionRow& row : transport_option_rows()) {
        if (optional_field(object, row.key) == nullptr) {
            continue;
        }
        try {
            row.set(options, string_field(object, row.key, kMaxNameBytes));
        } catch (const UsageError& error) {
            throw UsageError("field '" + std::string(row.key) + "': " + error.what());
        }
    }
    return options;
}

Transport transport_from(const json& object) {
    const std::string text = string_field(object, "transport", kMaxNameBytes);
    try {
        return parse_transport(text);
    } catch (const UsageError& error) {
        throw UsageError(std::string("field 'transport': ") + error.what());
    }
}

json to_json(const Target& target) {
    json object = {{"host", target.host}, {"control_port", target.control_port}};
    if (target.data_port) {
        object["data_port"] = *target.data_port;
    }
    return object;
}

Target target_from(const json& object) {
    Target target;
    target.host = string_field(object, "host", kMaxNameBytes);
    target.control_port = static_cast<std::uint16_t>(unsigned_field(object, "control_port", 1, kMaxPort));
    if (optional_field(object, "data_port") != nullptr) {
        target.data_port = static_cast<std::uint16_t>(unsigned_field(object, "data_port", 1, kMaxPort));
    }
    return target;
}

std::vector<Target> more_targets_from(const json& list) {
    constexpr std::size_t kMostReceivers = 1000;
    if (not list.is_array() or list.size() > kMostReceivers) {
        throw UsageError("field 'also_to' is no list of at most 1000 receivers");
    }
    std::vector<Target> targets;
    for (const json& one : list) {
        targets.push_back(target_from(one));
    }
    return targets;
}

json to_json(const StopRule& stop) {
    json object = json::object();
    if (stop.duration) {
        object["duration_ns"] = stop.duration->count();
    }
    if (stop.packets) {
        object["packets"] = *stop.packets;
    }
    if (stop.bytes) {
        object["bytes"] = stop.bytes->count;
    }
    return object;
}

Nanos span_field(const json& object, std::string_view name) {
    return Nanos{static_cast<std::int64_t>(unsigned_field(object, name, 0, kMaxSpanNs))};
}

StopRule stop_from(const json& object) {
    StopRule stop;
    if (optional_field(object, "duration_ns") != nullptr) {
        stop.duration = span_field(object, "duration_ns");
    }
    if (optional_field(object, "packets") != nullptr) {
        stop.packets = unsigned_field(object, "packets", 0, kMaxCount);
    }
    if (optional_field(object, "bytes") != nullptr) {
        stop.bytes = Bytes{unsigned_field(object, "bytes", 0, kMaxCount)};
    }
    return stop;
}

}  // namespace

json to_json(const FlowSpec& spec) {
    json object = {{"id", spec.id.value},
                   {"name", spec.name},
                   {"profile", spec.profile},
                   {"transport", to_string(spec.transport)},
                   {"target", to_json(spec.target)},
                   {"idt", to_json(spec.idt)},
                   {"size", to_json(spec.size)},
                   {"stop", to_json(spec.stop)},
                   {"start_delay_ns", spec.start_delay.count()},
                   {"header", to_text(spec.header)},
                   {"seed", spec.seed}};
    if (spec.options != TransportOptions{}) {
        object["options"] = to_json(spec.options);
    }
    if (spec.meter != Meter::one_way) {
        object["meter"] = to_text(spec.meter);
    }
    if (spec.lateness != LatenessPolicy::catch_up) {
        object["lateness"] = to_string(spec.lateness);
    }
    if (not spec.payload.empty()) {
        object["payload"] = spec.payload;
    }
    for (const Target& target : spec.also_to) {
        object["also_to"].push_back(to_json(target));
    }
    if (spec.on_off) {
        object["on"] = to_json(spec.on_off->on);
        object["off"] = to_json(spec.on_off->off);
    }
    return object;
}

FlowSpec flow_spec_from_json(const json& object) {
    FlowSpec spec;
    spec.id =
        FlowId{static_cast<std::uint32_t>(unsigned_field(object, "id", 0, std::numeric_limits<std::uint32_t>::max()))};
    spec.name = string_field(object, "name", kMaxNameBytes);
    spec.profile = string_field(object, "profile", kMaxNameBytes);
    spec.transport = transport_from(object);
    if (const json* options = optional_field(object, "options")) {
        spec.options = options_from(*options);
    }
    spec.target = target_from(required_field(object, "target"));
    spec.idt = distribution_from_json(required_field(object, "idt"), "idt");
    spec.size = distribution_from_json(required_field(object, "size"), "size");
    if (optional_field(object, "on") != nullptr or optional_field(object, "off") != nullptr) {
        spec.on_off = OnOff{distribution_from_json(required_field(object, "on"), "on"),
                            distribution_from_json(required_field(object, "off"), "off")};
    }
    spec.stop = stop_from(required_field(object, "stop"));
    spec.start_delay = span_field(object, "start_delay_ns");
    spec.header = header_from(object);
    spec.meter = meter_from(object);
    spec.lateness = lateness_from(object);
    if (optional_field(object, "payload") != nullptr) {
        spec.payload = parse_payload(string_field(object, "payload", kMaxPayloadText));
    }
    if (const json* also = optional_field(object, "also_to")) {
        spec.also_to = more_targets_from(*also);
    }
    spec.seed = unsigned_field(object, "seed", 0, kMaxCount);
    return spec;
}

}  // namespace groma
