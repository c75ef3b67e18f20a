#include "sender/report/network_verdict.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/flow_lines.hpp"
#include "common/model/transport/transport.hpp"

namespace groma {

namespace {

/// Of a flow that was sent and did not arrive.
std::string what_to_see(const FlowReport& flow) {
    const std::string to = plain_text(flow.remote_address);
    if (flow.outcome.counts.refused > 0) {
        return fmt::format(
            "{} answered that no program listens there: was groma-recv ended, or a port forwarded to "
            "another host?",
            to);
    }
    if (flow.received and flow.received->kernel_drops > 0) {
        return fmt::format("the receiver's kernel dropped {} because the socket's buffer was full",
                           counted(flow.received->kernel_drops, "packet"));
    }
    if (flow.received and flow.received->malformed + flow.received->foreign + flow.received->forged > 0) {
        return "packets came that are not the flow's: does something on the path change addresses or payloads?";
    }
    return fmt::format("does a firewall drop {} to {}?", traits(flow.spec.transport).title, to);
}

/// At any of its receivers.
bool nothing_arrived(const FlowReport& flow) {
    const auto got_some = [](const ReceivedBy& each) { return not each.received or each.received->packets > 0; };
    return flow.outcome.fidelity.packets > 0 and flow.received and flow.received->packets == 0 and
           std::ranges::none_of(flow.receivers, got_some);
}

bool got_no_response(const FlowReport& flow) {
    return has_transactions(flow.spec) and flow.outcome.fidelity.packets > 0 and flow.outcome.round_trip and
           flow.outcome.round_trip->returned == 0;
}

std::string dropped(const SendReport& report) {
    const auto received = total_received(report);
    const std::uint64_t drops = received ? received->kernel_drops : 0;
    return drops == 0 ? ""
                      : fmt::format("; the receiver's kernel dropped {}{} because a socket's buffer was full",
                                    received->coalescing ? "at least " : "", drops);
}

/// By queues of the host that sends, which no receiver can tell from the network.
std::string dropped_here(const SendReport& report) {
    std::string text;
    for (const QueueDrops& drops : report.queue_drops) {
        text += fmt::format("; the sender's queue {} dropped {} meanwhile", plain_text(drops.queue, 60), drops.packets);
    }
    return text;
}

/// Of flows of other hosts that told nothing of what they had sent.
std::size_t untold(const SendReport& report) {
    return static_cast<std::size_t>(std::ranges::count_if(report.flows, &FlowReport::is_unknown));
}

std::string of_several(const std::vector<const FlowReport*>& silent, std::size_t flows) {
    const FlowReport& first = *silent.front();
    const std::string name = plain_text(first.spec.name);
    const std::string who = silent.size() == 1
                                ? fmt::format("flow '{}'", name)
                                : fmt::format("{} of {} flows, '{}' among them", silent.size(), flows, name);
    return fmt::format("; nothing arrived of {} ({})", who, what_to_see(first));
}

}  // namespace

std::string_view to_string(NetworkResult arrival) {
    switch (arrival) {
        case NetworkResult::all:
            return "all";
        case NetworkResult::lossy:
            return "lossy";
        case NetworkResult::nothing:
            return "nothing";
        case NetworkResult::unknown:
            break;
    }
    return "unknown";
}

NetworkVerdict judge_network(const SendReport& report) {
    const LostPackets lost = total_lost(report.flows);
    const std::uint64_t due = total_due(report.flows);
    std::size_t tried = 0;
    std::vector<const FlowReport*> silent;
    for (const FlowReport& flow : report.flows) {
        tried += flow.outcome.fidelity.packets > 0 ? 1 : 0;
        if (nothing_arrived(flow)) {
            silent.push_back(&flow);
        }
    }
    if (due == 0) {
        return {NetworkResult::unknown, "unknown, because nothing was sent"};
    }
    if (silent.size() == tried) {
        return {NetworkResult::nothing,
                fmt::format("NOTHING ARRIVED ({}){}", what_to_see(*silent.front()), dropped_here(report))};
    }
    if (std::ranges::all_of(report.flows, got_no_response)) {
        return {NetworkResult::nothing, "NO RESPONSE CAME BACK (does a firewall at the sender drop what comes from " +
                                            plain_text(report.flows.front().remote_address) + "?)" +
                                            dropped_here(report)};
    }
    const std::string lost_replies = describe_lost_replies(total_round_trip_losses(report.flows).backward);
    const std::size_t unknown = untold(report);
    if (lost.number == 0U and unknown > 0) {
        return {NetworkResult::unknown,
                fmt::format("unknown, because nothing is known of {}; of the others all arrived{}{}",
                            counted(unknown, "flow"), dropped_here(report), lost_replies)};
    }
    if (lost.number == 0U) {
        return {NetworkResult::all, "all arrived" + dropped_here(report) + lost_replies};
    }
    if (lost.known() == 0) {
        return {NetworkResult::unknown, std::ranges::all_of(report.flows, &FlowReport::all_told)
                                            ? "no loss is known; copies of packets without a number would hide losses"
                                            : "unknown, because a receiver told no results"};
    }
    return {NetworkResult::lossy,
            describe_loss({.name = {}, .sent = due, .lost = lost.number, .lost_at_least = lost.at_least}) +
                dropped(report) + dropped_here(report) + lost_replies +
                (silent.empty() ? "" : of_several(silent, tried)) +
                (unknown == 0 ? "" : fmt::format("; nothing is known of {}", counted(unknown, "flow")))};
}

}  // namespace groma
