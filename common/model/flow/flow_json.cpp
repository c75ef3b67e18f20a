#include "common/model/flow/flow_json.hpp"

#include "common/json/json_record.hpp"
#include "common/model/distributions/distribution_json.hpp"
#include "common/model/flow/flow_text.hpp"

namespace groma {

namespace {

constexpr UpTo kName{255};
constexpr UpTo kPayloadText{4096};
constexpr Most kMostReceivers{1000};
constexpr Within<std::uint16_t> kPorts{1, std::numeric_limits<std::uint16_t>::max()};
constexpr Within<Nanos::rep> kSpans{0, Nanos::rep{1} << 62U};

}  // namespace

template <typename Fields>
void describe(Fields& fields, As<Fields, TransportOptions>& options) {
    for (const TransportOptionRow& row : transport_option_rows()) {
        std::optional<std::string> text = row.get(options);
        fields(row.key, text, kName);
        fields.when_read(row.key, [&] {
            if constexpr (Fields::kReads) {
                if (text) {
                    row.set(options, *text);
                }
            }
        });
    }
}

template <typename Fields>
void describe(Fields& fields, As<Fields, Target>& target) {
    fields("host", target.host, kName);
    fields("control_port", target.control_port, kPorts);
    fields("data_port", target.data_port, kPorts);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, StopRule>& stop) {
    fields("duration_ns", stop.duration, kSpans);
    fields("packets", stop.packets);
    fields("bytes", stop.bytes);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, FlowSpec>& spec) {
    fields("id", spec.id);
    fields("name", spec.name, kName);
    fields("profile", spec.profile, kName);
    fields.as("transport", spec.transport, parse_transport);
    fields.unless({}, "options", spec.options);
    fields("target", spec.target);
    fields("idt", spec.idt);
    fields("size", spec.size);
    if (fields.has_part(spec.on_off, {"on", "off"})) {
        fields("on", spec.on_off->on);
        fields("off", spec.on_off->off);
    }
    fields("stop", spec.stop);
    fields("start_delay_ns", spec.start_delay, kSpans);
    fields.as("header", spec.header, parse_header);
    fields.as_unless(Meter::one_way, "meter", spec.meter, parse_meter);
    fields.as_unless(LatenessPolicy::catch_up, "lateness", spec.lateness, parse_lateness);
    fields.unless({}, "payload", spec.payload, kPayloadText);
    fields.when_read("payload", [&] {
        if (not spec.payload.empty()) {
            static_cast<void>(parse_payload(spec.payload));
        }
    });
    fields.unless({}, "also_to", spec.also_to, kMostReceivers);
    fields("seed", spec.seed);
}

template void describe(JsonWriter&, const FlowSpec&);
template void describe(JsonReader&, FlowSpec&);

}  // namespace groma
