#include "common/model/flow/flow_json.hpp"

#include <utility>

#include "common/json/json_record.hpp"
#include "common/model/distributions/distribution_json.hpp"
#include "common/model/flow/flow_keys.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/value_file.hpp"

namespace groma {

namespace {

constexpr UpTo kName{255};
constexpr UpTo kPayloadText{4096};
constexpr UpTo kKeyText{4096};
constexpr Most kMostReceivers{1000};
constexpr Within<std::uint16_t> kPorts{1, std::numeric_limits<std::uint16_t>::max()};
constexpr Within<std::uint32_t> kInFlight{0, kMostInFlight};
constexpr Within<Nanos::rep> kSpans{0, Nanos::rep{1} << 62U};

void set_text(FlowSpec& spec, const FlowKeyRow& key, const std::string& text) {
    FlowDraft draft{std::move(spec)};
    key.set(draft, {Setting::Kind::text, text, {}, {}}, {.hosts = {}, .files = {}});
    spec = std::move(draft.spec);
}

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

/// Keys that are texts in messages, too.
template <typename Fields>
void describe_keys(Fields& fields, As<Fields, FlowSpec>& spec) {
    for (const FlowKeyRow& key : flow_keys()) {
        if (key.get == nullptr) {
            continue;
        }
        std::optional<std::string> text = key.get(spec);
        fields(key.key, text, kKeyText);
        fields.when_read(key.key, [&] {
            if constexpr (Fields::kReads) {
                if (text) {
                    set_text(spec, key, *text);
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
void describe(Fields& fields, As<Fields, RatePiece>& piece) {
    fields("lasts_ns", piece.lasts, kSpans);
    fields("from", piece.from);
    fields("to", piece.to);
}

template <typename Fields>
void describe(Fields& fields, As<Fields, RateOverTime>& rates) {
    fields("unit", rates.unit, Within{RateUnit::packets, RateUnit::payload_bits});
    fields.rows("pieces", rates.pieces, Most{kMaxFileValues});
    fields.unless({}, "file", rates.file, UpTo{kMaxPathBytes});
    if constexpr (Fields::kReads) {
        const std::string error = rates.error();
        fields.require(error.empty(), error);
    }
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
    fields("rate_over_time", spec.rate_over_time);
    fields("size", spec.size);
    if (fields.has_part(spec.on_off, {"on", "off"})) {
        fields("on", spec.on_off->on);
        fields("off", spec.on_off->off);
    }
    fields("stop", spec.stop);
    fields("start_delay_ns", spec.start_delay, kSpans);
    fields.as("header", spec.header, parse_header);
    describe_keys(fields, spec);
    fields("response", spec.response);
    fields.unless(0U, "in_flight", spec.in_flight, kInFlight);
    fields("think", spec.think);
    fields("requests_per_connection", spec.requests_per_connection);
    fields("response_timeout_ns", spec.response_timeout, kSpans);
    fields.unless({}, "payload", spec.payload, kPayloadText);
    fields.when_read("payload", [&] {
        if (not spec.payload.empty()) {
            static_cast<void>(parse_payload(spec.payload));
        }
    });
    fields.unless({}, "also_to", spec.also_to, kMostReceivers);
    fields("seed", spec.seed);
    fields.as_unless(Generator::unit_32, "generator", spec.generator, parse_generator);
}

template void describe(JsonWriter&, const FlowSpec&);
template void describe(JsonReader&, FlowSpec&);

}  // namespace groma
