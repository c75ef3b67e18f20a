#include "sender/report/connection_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/cli/table.hpp"
#include "common/model/text/human.hpp"
#include "sender/report/worst_flows.hpp"

namespace groma {

namespace {

constexpr std::size_t kConnectionIndent = 2;

std::string share_of(Nanos part, Nanos busy) {
    return significant(100 * to_seconds(part) / to_seconds(busy), 2);
}

std::string time_or_dash(const std::optional<Nanos>& span) {
    return span ? human_time(*span) : "-";
}

std::vector<std::string> connection_cells(const std::string& name, const FlowOutcome& sent) {
    const SendLimits& limits = *sent.limits;
    const auto state = sent.connection.value_or(ConnectionSample{});
    return {name,
            sent.counts.retransmitted ? std::to_string(*sent.counts.retransmitted) : "-",
            state.cwnd ? human_bytes(*state.cwnd) : "-",
            time_or_dash(state.rtt),
            time_or_dash(state.min_rtt),
            human_time(limits.busy),
            share_of(limits.by_network(), limits.busy),
            share_of(limits.by_receive_window, limits.busy),
            share_of(limits.by_send_buffer, limits.busy)};
}

}  // namespace

std::string limits_in_words(const SendLimits& limits) {
    std::array parts{std::pair(limits.by_network(), "network"), std::pair(limits.by_receive_window, "receive window"),
                     std::pair(limits.by_send_buffer, "send buffer")};
    std::ranges::stable_sort(parts, std::ranges::greater(), &std::pair<Nanos, const char*>::first);
    std::string words;
    for (const auto& [part, name] : parts) {
        words += fmt::format("{}{} {} %", words.empty() ? "" : ", ", name, share_of(part, limits.busy));
    }
    return words;
}

std::string connections_text(const SendReport& report) {
    Table table({{"flow", Align::left},
                 {"sent again"},
                 {"cwnd"},
                 {"RTT"},
                 {"least RTT"},
                 {"busy"},
                 {"limited by network [%]"},
                 {"receive window"},
                 {"send buffer"}});
    bool any = false;
    for (const FlowReport* flow : shown_flows(report.flows)) {
        if (flow->outcome.limits) {
            any = true;
            table.add_row(connection_cells(flow->spec.name, flow->outcome));
        }
    }
    const FlowOutcome total = total_outcome(report.flows);
    if (report.flows.size() > 1 and total.limits) {
        any = true;
        table.add_row(connection_cells("total", total));
    }
    return any ? "\nConnections at their ends (of the time that data waited or were on the way: what limited them)\n" +
                     table.to_string(kConnectionIndent)
               : "";
}

std::string bulk_limits_text(const SendReport& report) {
    SendLimits limits;
    for (const FlowReport& flow : report.flows) {
        if (flow.outcome.fidelity.greedy and flow.spec.in_flight == 0 and flow.outcome.limits) {
            limits += *flow.outcome.limits;
        }
    }
    return limits.busy > Nanos{0} ? "TCP was limited by: " + limits_in_words(limits) : "";
}

}  // namespace groma
