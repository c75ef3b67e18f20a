#include "common/control/messages.hpp"

#include <nlohmann/json.hpp>

#include "common/control/message_limits.hpp"
#include "common/model/flow_json.hpp"

namespace groma {

namespace {

using nlohmann::json;

/// Shortens a text to what a reader takes, at the border of a character.
std::string clipped(const std::string& text, std::size_t longest) {
    if (text.size() <= longest) {
        return text;
    }
    std::size_t end = longest;
    while (end > 0 and (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) {
        --end;
    }
    return text.substr(0, end);
}

std::string clipped_name(const std::string& text) {
    return clipped(text, kLongestName);
}

json fields(const Hello& hello) {
    return {{"lowest_version", hello.lowest_version},
            {"highest_version", hello.highest_version},
            {"program", clipped_name(hello.program)},
            {"run_id", hello.run_id},
            {"experiment", clipped_name(hello.experiment)},
            {"host", clipped_name(hello.host)},
            {"seed", hello.seed}};
}

json fields(const Welcome& welcome) {
    json object = {{"version", welcome.version},
                   {"program", clipped_name(welcome.program)},
                   {"host", clipped_name(welcome.host)},
                   {"boot_id", clipped_name(welcome.boot_id)}};
    if (welcome.clock) {
        object["clock"] = to_json(*welcome.clock);
    }
    for (const auto& [name, value] : welcome.about) {
        object["about"][clipped_name(name)] = clipped(value, kLongestReason);
    }
    return object;
}

json fields(const OpenFlows& open) {
    json flows = json::array();
    for (const FlowSpec& spec : open.flows) {
        flows.push_back(to_json(spec));
    }
    json object = {{"flows", std::move(flows)}};
    for (const DialTarget& target : open.dial) {
        object["dial"].push_back(json::array({target.port, to_hex(target.token)}));
    }
    return object;
}

json fields(const FlowsOpened& opened) {
    json flows = json::array();
    for (const OpenedFlow& flow : opened.flows) {
        json row = json::array({flow.flow.value, flow.port});
        if (not flow.remark.empty()) {
            row.push_back(clipped(flow.remark, kLongestReason));
        }
        flows.push_back(std::move(row));
    }
    return {{"flows", std::move(flows)}};
}

json fields(const ProbeRequest& probe) {
    return {{"number", probe.number}};
}

json fields(const ProbeReply& probe) {
    return {{"number", probe.number},
            {"received_ns", ns_since_epoch(probe.received)},
            {"answered_ns", ns_since_epoch(probe.answered)}};
}

json fields(const Start& start) {
    json object = {
        {"log_file", start.log_file}, {"log_server", start.log_server}, {"log_transport", start.log_transport}};
    if (not start.log_name.empty()) {
        object["log_name"] = start.log_name;
    }
    if (start.discard_log) {
        object["discard_log"] = true;
    }
    return object;
}

json fields(const Started& started) {
    return {{"log_file", started.log_file}};
}

json fields(const KeepAlive&) {
    return json::object();
}

json fields(const Finish& finish) {
    json flows = json::array();
    for (const SentFlow& flow : finish.flows) {
        flows.push_back(json::array({flow.flow.value, flow.packets, flow.bytes}));
    }
    return {{"interrupted", finish.interrupted}, {"wait_ns", finish.wait.count()}, {"flows", std::move(flows)}};
}

json fields(const ReceiverResults& results) {
    json flows = json::array();
    json coalescing = json::array();
    for (const ReceivedFlow& flow : results.flows) {
        json row =
            json::array({flow.flow.value, flow.packets, flow.bytes, flow.duplicates, flow.reordered, flow.foreign,
                         flow.malformed, flow.kernel_drops, flow.records_lost, clipped_name(flow.state)});
        if (flow.replies > 0 or flow.replies_lost > 0) {
            row.push_back(flow.replies);
            row.push_back(flow.replies_lost);
        }
        flows.push_back(std::move(row));
        if (const auto& gro = flow.coalescing) {
            coalescing.push_back(json::array(
                {flow.flow.value, gro->packets, ns_since_epoch(gro->since), static_cast<unsigned>(gro->why)}));
        }
    }
    json object = {{"flows", std::move(flows)}, {"log_error", clipped(results.log_error, kLongestReason)}};
    if (not coalescing.empty()) {
        object["coalescing"] = std::move(coalescing);
    }
    if (const LogShipment& shipment = results.shipment; not shipment.to.empty()) {
        object["shipment"] = {{"to", clipped(shipment.to, kLongestReason)},
                              {"reconnections", shipment.reconnections},
                              {"largest_backlog", shipment.largest_backlog},
                              {"not_spooled", shipment.not_spooled},
                              {"trouble", clipped(shipment.trouble, kLongestReason)}};
    }
    if (const auto& usage = results.usage) {
        object["usage"] = {{"user_ns", usage->user.count()},
                           {"system_ns", usage->system.count()},
                           {"voluntary_switches", usage->voluntary_switches},
                           {"involuntary_switches", usage->involuntary_switches}};
    }
    return object;
}

json fields(const Refused& refused) {
    json object = {{"reason", clipped(refused.reason, kLongestReason)}};
    if (refused.flow) {
        object["flow"] = refused.flow->value;
    }
    return object;
}

json fields(const CallIn& call) {
    return {{"program", clipped_name(call.program)}, {"name", clipped_name(call.name)}};
}

}  // namespace

std::string_view type_name(const Message& message) {
    return kMessageTypes[message.index()];
}

std::string serialize(const Message& message) {
    json object = std::visit([](const auto& one) { return fields(one); }, message);
    object["type"] = type_name(message);
    // A name that is no UTF-8 must not end the session: its strange bytes are replaced.
    return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace groma
