#include "decoder/text/shown_flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "decoder/results/run_verdict.hpp"

namespace groma {

namespace {

using Badness = std::function<double(const FlowResult&)>;

double by_verdict(const FlowResult& flow) {
    const auto judgement = judge(flow);
    if (not judgement) {
        return flow.sent ? 1e305 : 0;
    }
    return static_cast<double>(judgement->result) * 1e304 + std::min(judgement->severity, 1e300);
}

double by_loss(const FlowResult& flow) {
    return flow.loss.packets and flow.sent and flow.sent->packets > 0
               ? static_cast<double>(*flow.loss.packets) / static_cast<double>(flow.sent->packets)
               : 0;
}

double by_delay(const FlowResult& flow) {
    return flow.received and flow.received->delay_ns.count > 0 ? static_cast<double>(flow.received->delay_ns.p99) : 0;
}

double by_lateness(const FlowResult& flow) {
    return flow.sent and flow.sent->lateness_ns.count > 0 ? static_cast<double>(flow.sent->lateness_ns.p99) : 0;
}

}  // namespace

ShownFlows shown_flows(const RunResult& run, std::size_t most, std::size_t of_each) {
    ShownFlows shown;
    if (run.flows.size() <= most) {
        for (const FlowResult& flow : run.flows) {
            shown.flows.push_back(&flow);
        }
        return shown;
    }
    std::set<std::size_t> chosen;
    for (const Badness& badness : {Badness(by_verdict), Badness(by_loss), Badness(by_delay), Badness(by_lateness)}) {
        std::vector<std::pair<double, std::size_t>> order;
        for (std::size_t i = 0; i < run.flows.size(); ++i) {
            order.emplace_back(-badness(run.flows[i]), i);
        }
        std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(of_each));
        for (std::size_t i = 0; i < of_each; ++i) {
            chosen.insert(order[i].second);
        }
    }
    for (const std::size_t i : chosen) {
        shown.flows.push_back(&run.flows[i]);
    }
    shown.left_out = fmt::format(
        "Shown are {} of {} flows: the worst {} each by verdict, by share lost, by p99 of delay, and by p99 of "
        "lateness.",
        shown.flows.size(), run.flows.size(), of_each);
    return shown;
}

}  // namespace groma
