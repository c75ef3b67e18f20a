#include "sender/report/report_arrivals.hpp"

#include <cmath>
#include <optional>
#include <string_view>

#include "common/cli/table.hpp"
#include "common/model/text/human.hpp"
#include "common/time/time_span.hpp"
#include "sender/report/worst_flows.hpp"

namespace groma {

namespace {

constexpr const char* kUnknown = "-";
constexpr std::size_t kIndent = 2;

std::string rate_text(const std::optional<double>& value, std::string (*to_text)(double)) {
    return value ? to_text(*value) : kUnknown;
}

void add_row(Table& table, std::string_view name, const ReceivedFlow& received, std::optional<Nanos> bound) {
    const auto rate = arrival_rate(received);
    if (not rate and not received.delays) {
        return;
    }
    const auto time = [&](auto value) { return received.delays ? human_time(value(*received.delays)) : kUnknown; };
    const auto percentile = [&](Nanos ArrivalDelays::*which) {
        return time([which](const ArrivalDelays& it) { return it.min + it.*which; });
    };
    table.add_row({std::string(name), rate_text(bit_rate(rate, received.packets, received.bytes), human_bits),
                   rate_text(rate, human_rate), time([](const ArrivalDelays& it) { return it.min; }),
                   percentile(&ArrivalDelays::p50), percentile(&ArrivalDelays::p99), percentile(&ArrivalDelays::max),
                   received.delays and received.delays->jitter_ns
                       ? human_time(Nanos{std::llround(*received.delays->jitter_ns)})
                       : kUnknown,
                   bound ? human_time(*bound) : kUnknown});
}

}  // namespace

std::string arrivals_text(const SendReport& report) {
    Table table({{"flow", Align::left},
                 {"throughput"},
                 {"packet rate"},
                 {"delay min"},
                 {"p50"},
                 {"p99"},
                 {"max"},
                 {"jitter"},
                 {"clock bound"}});
    for (const FlowReport* flow : shown_flows(report.flows)) {
        if (flow->received) {
            add_row(table, flow->spec.name, *flow->received, flow->delay_bound);
        }
    }
    if (const auto total = total_received(report); total and report.flows.size() > 1) {
        add_row(table, "total", *total, total->delays ? largest_delay_bound(report.flows) : std::nullopt);
    }
    return table.rows() == 0 ? ""
                             : "\nWhat arrived (as the receivers told it; delays of packets that arrived)\n" +
                                   table.to_string(kIndent);
}

}  // namespace groma
