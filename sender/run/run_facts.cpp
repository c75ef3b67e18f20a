#include "sender/run/run_facts.hpp"

#include <algorithm>
#include <map>

#include "common/base/errors.hpp"
#include "common/time/difference.hpp"
#include "sender/report/arrival_times.hpp"

namespace groma {

namespace {

std::map<FlowId, std::string> warnings_of_receivers(const std::vector<ReceiverFacts>& receivers) {
    std::map<FlowId, std::string> warnings;
    for (const ReceiverFacts& receiver : receivers) {
        for (const OpenedFlow& flow : receiver.opened.ports) {
            if (not flow.warning.empty()) {
                std::string& warning = warnings[flow.flow];
                warning.append(warning.empty() ? "" : "; ").append(flow.warning);
            }
        }
    }
    return warnings;
}

/// The results of each flow, by receiver in order; times by `clocks`, one for each receiver.
std::map<FlowId, std::vector<ReceivedBy>> received_flows(const std::vector<ReceiverFacts>& receivers,
                                                         const std::vector<std::optional<ReceiverClock>>& clocks) {
    std::map<FlowId, std::vector<ReceivedBy>> received;
    for (std::size_t i = 0; i < receivers.size(); ++i) {
        std::map<FlowId, const ReceivedFlow*> results;
        for (const ReceivedFlow& flow : receivers[i].finished.results.flows) {
            results[flow.flow] = &flow;
        }
        for (const FlowId flow : receivers[i].flows) {
            ReceivedBy& by = received[flow].emplace_back();
            by.address = receivers[i].address.to_string();
            if (const auto found = results.find(flow); found != results.end()) {
                by.received = by_own_clock(*found->second, clocks[i]);
                by.delay_bound = by.received->delays ? std::optional(clocks[i]->bound) : std::nullopt;
            }
        }
    }
    return received;
}

/// The receiver that got least, among those that sent results; null: none did.
const ReceivedBy* least(const std::vector<ReceivedBy>& receivers, std::uint64_t sent) {
    const ReceivedBy* worst = nullptr;
    for (const ReceivedBy& each : receivers) {
        if (each.received and (worst == nullptr or each.missing(sent) > worst->missing(sent))) {
            worst = &each;
        }
    }
    return worst;
}

ReceiverReport receiver_report(const ReceiverFacts& receiver, const RunFacts& facts) {
    const std::string& own_boot_id = facts.metadata.boot_id;
    const WallTime began = facts.metadata.started_at;
    const WallTime ended = moved(began, facts.elapsed);
    const Welcome& welcome = receiver.opened.welcome;
    ReceiverReport report;
    report.address = receiver.address.to_string();
    report.host = welcome.host;
    report.lost = receiver.lost.empty() ? receiver.finished.error : receiver.lost;
    report.log_file = receiver.log_file;
    report.log_error = receiver.finished.results.log_error;
    report.shipment = receiver.finished.results.shipment;
    report.same_clock = not own_boot_id.empty() and welcome.boot_id == own_boot_id;
    report.offset = offset_report(receiver.probes, began, ended);
    report.clock = welcome.clock;
    report.usage = receiver.finished.results.usage;
    report.about = welcome.about;
    report.about["program"] = welcome.program;
    return report;
}

FlowReport flow_report(const FlowSetup& setup, const FlowOutcome& outcome, const std::vector<ReceivedBy>* received,
                       const std::string* warning) {
    FlowReport flow{setup.spec, setup.local_address, setup.remote_address, outcome, std::nullopt, std::nullopt};
    flow.warnings = outcome.warnings;
    if (warning != nullptr) {
        flow.warnings.push_back("receiver: " + *warning);
    }
    if (received != nullptr) {
        if (const ReceivedBy* const worst = least(*received, outcome.fidelity.packets)) {
            flow.received = worst->received;
            flow.delay_bound = worst->delay_bound;
        }
        if (received->size() > 1) {
            flow.receivers = *received;
        }
    }
    return flow;
}

/// Null: none.
template <typename Value>
const Value* find_flow(const std::map<FlowId, Value>& values, FlowId flow) {
    const auto found = values.find(flow);
    return found == values.end() ? nullptr : &found->second;
}

}  // namespace

SendReport make_report(const RunFacts& facts) {
    check(facts.outcomes.size() == facts.metadata.flows.size(), "each flow has an outcome");
    SendReport report;
    report.run_id = facts.metadata.run_id;
    report.experiment = facts.metadata.experiment;
    report.seed = facts.metadata.seed;
    report.host = facts.metadata.host;
    report.serves = facts.serves;
    report.started_at = facts.metadata.started_at;
    report.elapsed = facts.elapsed;
    report.interrupted = facts.interrupted;
    report.clock = facts.metadata.clock;
    report.own_steps = facts.own_steps;
    report.pacing = facts.pacing;
    report.usage = facts.usage;
    report.conditions = facts.conditions;
    report.queue_drops = facts.queue_drops;
    report.required = facts.required;
    std::vector<std::optional<ReceiverClock>> clocks;
    for (const ReceiverFacts& receiver : facts.receivers) {
        const ReceiverReport& one = report.receivers.emplace_back(receiver_report(receiver, facts));
        clocks.push_back(clock_during(one, facts.own_steps, facts.elapsed));
    }
    if (facts.receivers.size() == 1) {
        report.delays = by_own_clock(facts.receivers.front().finished.results.delays, clocks.front());
    }
    const std::map<FlowId, std::vector<ReceivedBy>> received = received_flows(facts.receivers, clocks);
    const std::map<FlowId, std::string> warnings = warnings_of_receivers(facts.receivers);
    for (std::size_t i = 0; i < facts.outcomes.size(); ++i) {
        const FlowOutcome& outcome = facts.outcomes[i];
        report.flows.push_back(flow_report(facts.metadata.flows[i], outcome, find_flow(received, outcome.flow),
                                           find_flow(warnings, outcome.flow)));
    }
    return report;
}

bool replies_are_out(const RunFacts& facts, const std::vector<FlowProgress>& progress) {
    std::map<FlowId, std::uint64_t> replies;  // the most of any receiver
    for (const ReceiverFacts& receiver : facts.receivers) {
        for (const ReceivedFlow& flow : receiver.finished.results.flows) {
            replies[flow.flow] = std::max(replies[flow.flow], flow.replies);
        }
    }
    return std::ranges::any_of(progress, [&replies](const FlowProgress& flow) {
        const auto found = replies.find(flow.flow);
        return found != replies.end() and found->second > flow.returned;
    });
}

std::vector<Finish> finishes(const RunFacts& facts, Nanos wait) {
    std::map<FlowId, SentFlow> sent;
    for (const FlowOutcome& outcome : facts.outcomes) {
        sent[outcome.flow] = {outcome.flow, outcome.fidelity.packets, outcome.fidelity.bytes};
    }
    std::vector<Finish> all;
    for (const ReceiverFacts& receiver : facts.receivers) {
        Finish finish{.interrupted = facts.interrupted, .wait = wait, .flows = {}};
        for (const FlowId flow : receiver.flows) {
            finish.flows.push_back(sent.at(flow));
        }
        all.push_back(std::move(finish));
    }
    return all;
}

std::vector<ClockProbe> all_probes(const RunFacts& facts) {
    std::vector<ClockProbe> probes;
    for (const ReceiverFacts& receiver : facts.receivers) {
        probes.insert(probes.end(), receiver.probes.begin(), receiver.probes.end());
    }
    return probes;
}

}  // namespace groma
