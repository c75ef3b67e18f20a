#include "common/model/flow/flow_keys.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>
#include <vector>

#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/distributions/scaled.hpp"
#include "common/model/flow/flow_settings.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/profiles.hpp"
#include "common/model/flow/request_keys.hpp"

namespace groma {

namespace {

template <auto Period>
void set_period(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    draft.*Period = parse_period(text_setting(setting), names.files);
}

/// A member of the spec, or of its stop rule.
template <auto Member, auto parse>
void set_parsed(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    if constexpr (requires { draft.spec.*Member; }) {
        draft.spec.*Member = parse(text_setting(setting));
    } else {
        draft.spec.stop.*Member = parse(text_setting(setting));
    }
}

template <auto Member, auto parse>
void set_with_files(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    draft.spec.*Member = parse(text_setting(setting), names.files);
}

template <auto Member>
std::optional<std::string> get_unless_default(const FlowSpec& spec) {
    const bool usual = spec.*Member == FlowSpec{}.*Member;
    return usual ? std::nullopt : std::optional(std::string(to_string(spec.*Member)));
}

// What keys do with a value, where they do more than to parse it. Throws: UsageError, the flow stays as it was.

void set_generator(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    draft.spec.generator = integer_setting(setting, 1, 2) == 1 ? Generator::unit_32 : Generator::unit_53;
}

void set_target(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    set_receivers(draft.spec, text_setting(setting), names.hosts);
}

void set_source(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    const std::string& alias = text_setting(setting);
    if (not names.hosts.contains(alias)) {
        std::vector<std::string_view> known;
        for (const auto& [name, target] : names.hosts) {
            known.push_back(name);
        }
        throw UsageError("there is no host '" + plain_text(alias, 40) + "' in [hosts]" + did_you_mean(alias, known));
    }
    draft.spec.from_host = alias;
}

void set_name(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    if (setting.text.empty()) {
        throw UsageError("a name cannot be empty");
    }
    draft.spec.name = text_setting(setting);
}

/// Settings beside a profile override it. A rate that was asked for before a profile or `idt` is forgotten.
void set_profile(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    apply(profile(text_setting(setting)), draft.spec);
    draft.sized = true;
    draft.paced = true;
    draft.rate.reset();
}

void set_idt(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    draft.spec.idt = parse_idt(text_setting(setting), names.files);
    draft.paced = true;
    draft.rate.reset();
}

void set_size(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    draft.spec.size = parse_size(text_setting(setting), names.files);
    draft.sized = true;
}

void set_rate(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    const std::string& text = text_setting(setting);
    if (RateOverTime::is_meant(text)) {
        RateOverTime rates = RateOverTime::parse(text, names.files);
        draft.rate = AskedRate{rates.peak(), setting.value, std::move(rates)};
    } else {
        draft.rate = AskedRate{parse_rate(text), setting.value};
    }
    draft.paced = true;
}

void set_port(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    draft.spec.target.data_port = static_cast<std::uint16_t>(integer_setting(setting, 1, 65535));
}

void set_count(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    draft.count = static_cast<std::uint32_t>(integer_setting(setting, 1, kMaxFlows));
}

void set_packets(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    draft.spec.stop.packets = integer_setting(setting, 1, std::numeric_limits<std::uint64_t>::max());
}

void set_start(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    const std::string& text = text_setting(setting);
    if (is_drawn(text)) {
        draft.drawn.start = parse_drawn_time(text, "start");
    } else {
        draft.spec.start_delay = parse_duration(text);
        draft.drawn.start.reset();
    }
}

void set_bytes(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    const std::string& text = text_setting(setting);
    if (is_drawn(text)) {
        draft.drawn.volume = parse_size(text);
    } else {
        draft.spec.stop.bytes = parse_bytes(text);
        draft.drawn.volume.reset();
    }
}

constexpr std::array kOwnKeys{
    FlowKeyRow{.key = "name", .set = set_name, .turn = FlowKeyTurn::receiver},
    FlowKeyRow{.key = "from", .set = set_source, .turn = FlowKeyTurn::receiver},
    FlowKeyRow{
        .key = "to",
        .set = set_target,
        .turn = FlowKeyTurn::receiver,
        .option = "--to",
        .value = "HOST[:PORT],...",
        .help = "where groma-recv runs; IPv6 with a port: [ADDRESS]:PORT; several receivers of a multicast --group",
        .more = "HOST is a name or an address; PORT is the control port of groma-recv there, 9000 if not given."},
    FlowKeyRow{.key = "transport",
               .set = set_parsed<&FlowSpec::transport, parse_transport>,
               .turn = FlowKeyTurn::transport,
               .in_batch = true,
               .option = "--transport",
               .value = "NAME",
               .help = "the transport: udp (default), tcp, icmp, sctp, dccp, udplite, mptcp, usrsctp; see "
                       "--list-transports"},
    FlowKeyRow{.key = "idt",
               .set = set_idt,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--idt",
               .value = "DISTRIBUTION",
               .help =
                   "time between departures: const:1000pps, exp:0.5ms, pareto:1.5:0.4ms, ...; max: none, as fast as "
                   "possible (default: const:1000pps)",
               .more = "Others are unif:500pps:2000pps and file:gaps.txt. A number without a unit is refused."},
    // Scales the `idt` before it.
    FlowKeyRow{.key = "rate",
               .set = set_rate,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--rate",
               .value = "RATE",
               .help = "scale --idt to a mean rate: 50Mbps of payload bits, 2kpps of packets; over time: "
                       "ramp:10Mbps:100Mbps:30s, steps:10Mbps:5s,50Mbps:5s",
               .more = "Units are bps kbps Mbps Gbps and pps kpps Mpps. The times between departures keep their "
                       "distribution. With ON and OFF periods it is the rate in ON periods. A file (file:PATH) has "
                       "for each step a line of seconds and rate."},
    FlowKeyRow{.key = "size",
               .set = set_size,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--size",
               .value = "DISTRIBUTION",
               .help =
                   "bytes of payload: const:512, unif:64:1472, ... (default: const:512; with --idt max: 128 KiB over "
                   "TCP, 1452 over UDP)"},
    FlowKeyRow{.key = "on",
               .set = set_period<&FlowDraft::on>,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--on",
               .value = "DISTRIBUTION",
               .help = "ON periods, such as exp:1s; needs --off",
               .more = "Packets depart in them, and none do in OFF periods; the two come by turns."},
    FlowKeyRow{.key = "off",
               .set = set_period<&FlowDraft::off>,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--off",
               .value = "DISTRIBUTION",
               .help = "OFF periods between them, such as exp:2s; needs --on"},
    FlowKeyRow{.key = "profile",
               .set = set_profile,
               .turn = FlowKeyTurn::profile,
               .in_batch = true,
               .option = "--profile",
               .value = "NAME",
               .help = "take transport, --idt and --size from an application profile (see --list-profiles)",
               .more = "Other options go over it."},
    FlowKeyRow{.key = "port",
               .set = set_port,
               .turn = FlowKeyTurn::port,
               .option = "--port",
               .value = "N",
               .help = "the receiver's data port (default: the receiver chooses); several flows take N, N+1, ..."},
    FlowKeyRow{.key = "header",
               .set = set_parsed<&FlowSpec::header, parse_header>,
               .turn = FlowKeyTurn::packet,
               .in_batch = true,
               .option = "--header",
               .value = "full|sequence|none",
               .help = "how much of the header packets carry, if they are large enough (default: full)"},
    FlowKeyRow{
        .key = "seal",
        .set = set_parsed<&FlowSpec::seal, parse_sealing>,
        .get = get_unless_default<&FlowSpec::seal>,
        .turn = FlowKeyTurn::packet,
        .option = "--seal",
        .value = "auto|on|off",
        .help = "whether packets carry a seal, which others cannot make (default: auto)",
        .more = "Auto: if the control sessions are under keys (--key), the header is full, and hardly any size is too "
                "small. A sealed flow has packets of 28 bytes at least, over a stream 29: smaller draws are raised. "
                "The flow's key travels over its session; on a session in clear, a seal keeps out who cannot read "
                "that. Packets with a wrong seal are counted as forged, never measured, and make the verdict 'not as "
                "asked'."},
    FlowKeyRow{.key = "meter",
               .set = set_parsed<&FlowSpec::meter, parse_meter>,
               .get = get_unless_default<&FlowSpec::meter>,
               .turn = FlowKeyTurn::packet,
               .option = "--meter",
               .value = "one-way|round-trip",
               .help = "what is measured; with round-trip the receiver sends each packet back (default: one-way)"},
    FlowKeyRow{.key = "direction",
               .set = set_parsed<&FlowSpec::direction, parse_direction>,
               .get = get_unless_default<&FlowSpec::direction>,
               .turn = FlowKeyTurn::packet},
    FlowKeyRow{.key = "payload",
               .set = set_with_files<&FlowSpec::payload, parse_payload>,
               .option = "--payload",
               .value = "KIND",
               .help = "what follows the header: random (default), zero, pattern:HEX, file:PATH, pcap:PATH",
               .more = "With pcap it is the payloads of a capture, one a packet. The header is written over the first "
                       "bytes."},
    FlowKeyRow{.key = "lateness",
               .set = set_parsed<&FlowSpec::lateness, parse_lateness>,
               .get = get_unless_default<&FlowSpec::lateness>,
               .turn = FlowKeyTurn::packet,
               .option = "--lateness",
               .value = "catch-up|skip|shift",
               .help = "late packets: send all at once (default), leave out those whose slot is over, or shift what "
                       "follows",
               .more = "Packets that are left out are counted. What follows is shifted by as much as the packet was "
                       "late."},
    FlowKeyRow{.key = "generator",
               .set = set_generator,
               .option = "--generator",
               .value = "1|2",
               .help = "how random numbers come from the seed; 1 repeats flows of older logs (default: 2)"},
    FlowKeyRow{.key = "start",
               .set = set_start,
               .in_batch = true,
               .option = "--start",
               .value = "TIME",
               .help = "wait so long after the common start, such as 500ms; exp:1s: drawn for each flow"},
    FlowKeyRow{.key = "count",
               .set = set_count,
               .turn = FlowKeyTurn::count,
               .in_batch = true,
               .option = "--flows",
               .value = "N",
               .help = "N equal flows, independent of each other (default: 1)"},
    FlowKeyRow{.key = "duration",
               .set = set_parsed<&StopRule::duration, parse_duration>,
               .turn = FlowKeyTurn::stop,
               .in_batch = true,
               .option = "--duration",
               .value = "TIME",
               .help = "nothing departs so long after the flow's start: 10s, 2min"},
    FlowKeyRow{.key = "packets",
               .set = set_packets,
               .turn = FlowKeyTurn::stop,
               .in_batch = true,
               .option = "--packets",
               .value = "N",
               .help = "send so many packets"},
    FlowKeyRow{.key = "bytes",
               .set = set_bytes,
               .turn = FlowKeyTurn::stop,
               .in_batch = true,
               .option = "--bytes",
               .value = "N",
               .help = "send so many bytes of payload: 1500, 64KiB, 10MB; pareto:1.5:10kB: drawn for each flow",
               .more = "The last packet is the one that reaches them."},
};

}  // namespace

void apply_rate(FlowDraft& draft) {
    if (draft.rate) {
        draft.spec.idt = with_rate(draft.spec.idt, draft.rate->rate, draft.spec.size);
        draft.spec.rate_over_time = draft.rate->over_time;
    }
}

void choose_rest(FlowDraft& draft) {
    FlowSpec& spec = draft.spec;
    if (draft.transacts and not draft.paced) {
        spec.idt = Greedy{};
        spec.in_flight = std::max(spec.in_flight, 1U);
    } else if (draft.transacts and not spec.response) {
        spec.response = spec.size;  // an open loop: the responses say that it is one
    }
    if (is_greedy(spec.idt) and spec.in_flight == 0 and not draft.sized) {
        spec.size = Constant{static_cast<double>(traits(spec.transport).bulk_size)};
    }
}

std::span<const FlowKeyRow> flow_keys() {
    static const auto all = [] {
        std::vector<FlowKeyRow> keys(kOwnKeys.begin(), kOwnKeys.end());
        const auto size = std::ranges::find(keys, "size", &FlowKeyRow::key);
        keys.insert(size + 1, request_keys().begin(), request_keys().end());
        return keys;
    }();
    return all;
}

std::span<const FlowKeyRow> flow_keys_by_turn() {
    static const auto sorted = [] {
        std::vector<FlowKeyRow> keys(flow_keys().begin(), flow_keys().end());
        std::ranges::stable_sort(keys, {}, &FlowKeyRow::turn);
        return keys;
    }();
    return sorted;
}

std::string_view name_in_batch(const FlowKeyRow& key) {
    return key.option.empty() ? key.key : key.option.substr(2);
}

}  // namespace groma
