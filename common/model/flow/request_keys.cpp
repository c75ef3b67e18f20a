#include "common/model/flow/request_keys.hpp"

#include <array>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/flow_settings.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

/// Requests and responses are what the round-trip meter measures.
void transact(FlowDraft& draft) {
    draft.transacts = true;
    draft.spec.meter = Meter::round_trip;
}

void set_request(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    draft.spec.size = parse_size(text_setting(setting), names.files);
    draft.sized = true;
    transact(draft);
}

void set_response(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    draft.spec.response = parse_size(text_setting(setting), names.files);
    transact(draft);
}

void set_in_flight(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    draft.spec.in_flight = static_cast<std::uint32_t>(integer_setting(setting, 1, kMostInFlight));
    transact(draft);
}

void set_think(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    draft.spec.think = parse_drawn_time(text_setting(setting), "time to think", names.files);
    transact(draft);
}

void set_response_timeout(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    draft.spec.response_timeout = parse_duration(text_setting(setting));
    transact(draft);
}

void set_connect_each(FlowDraft& draft, const Setting& setting, const FlowNames& /*names*/) {
    const std::string& text = text_setting(setting);
    if (text != "on" and text != "off") {
        throw UsageError("'" + plain_text(text, 40) + "' is neither on nor off");
    }
    draft.spec.requests_per_connection.reset();
    if (text == "on") {
        draft.spec.requests_per_connection = Constant{1};
        transact(draft);
    }
}

void set_requests_per_connection(FlowDraft& draft, const Setting& setting, const FlowNames& names) {
    draft.spec.requests_per_connection = parse_size(text_setting(setting), names.files);
    transact(draft);
}

constexpr std::array kRequestKeys{
    FlowKeyRow{.key = "request",
               .set = set_request,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--request",
               .value = "DISTRIBUTION",
               .help = "send requests of so many bytes, each when the response to the last one has come",
               .more = "With --idt or --rate they leave at their own times instead, whether or not responses come."},
    FlowKeyRow{.key = "response",
               .set = set_response,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--response",
               .value = "DISTRIBUTION",
               .help = "bytes of the receiver's responses (default: as many as their requests)"},
    FlowKeyRow{.key = "in_flight",
               .set = set_in_flight,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--in-flight",
               .value = "N",
               .help = "let so many requests wait for their responses at a time (default: 1; at most 256)"},
    FlowKeyRow{.key = "think",
               .set = set_think,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--think",
               .value = "DISTRIBUTION",
               .help = "time from a response to the next request, such as exp:10ms (default: none)"},
    FlowKeyRow{.key = "response_timeout",
               .set = set_response_timeout,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--response-timeout",
               .value = "TIME",
               .help = "give up a request without a response after so long (default: 10s; over UDP and the like 1s)",
               .more = "The next one leaves then, and the report counts those that were given up."},
    FlowKeyRow{.key = "connect_each",
               .set = set_connect_each,
               .turn = FlowKeyTurn::process,
               .option = "--connect-each",
               .help = "make a connection for each request, over tcp and mptcp",
               .more = "The time of its transaction counts from the moment at which connecting begins."},
    FlowKeyRow{.key = "requests_per_connection",
               .set = set_requests_per_connection,
               .turn = FlowKeyTurn::process,
               .in_batch = true,
               .option = "--requests-per-connection",
               .value = "DISTRIBUTION",
               .help = "make a connection for so many requests each, such as 10 or unif:1:20, over tcp and mptcp"},
};

}  // namespace

std::span<const FlowKeyRow> request_keys() noexcept {
    return kRequestKeys;
}

}  // namespace groma
