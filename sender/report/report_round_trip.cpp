#include "sender/report/report_round_trip.hpp"

#include <fmt/format.h>

#include <optional>
#include <utility>
#include <vector>

#include "common/base/counts.hpp"
#include "common/cli/table.hpp"
#include "common/model/text/human.hpp"
#include "sender/report/worst_flows.hpp"

namespace groma {

namespace {

constexpr std::size_t kIndent = 2;

struct Row {
    std::string name;
    RoundTrip back;
    std::uint64_t sent = 0;
    std::optional<std::uint64_t> replies{};  ///< empty: the receiver sent no results
    RoundTripLosses lost{};
};

Row row_of(const FlowReport& flow) {
    return {.name = flow.spec.name,
            .back = *flow.outcome.round_trip,
            .sent = flow.outcome.fidelity.packets,
            .replies = flow.received ? std::optional(flow.received->replies) : std::nullopt,
            .lost = {flow.lost(), flow.lost_on_the_way_back()}};
}

std::vector<Row> rows_of(const SendReport& report) {
    std::vector<Row> rows;
    Row total{.name = "total", .back = {}, .lost = total_round_trip_losses(report.flows)};
    std::size_t flows = 0;
    for (const FlowReport& flow : report.flows) {
        if (not flow.outcome.round_trip) {
            continue;
        }
        ++flows;
        const Row row = row_of(flow);
        add(total.back, row.back);
        total.sent += row.sent;
        if (row.replies) {
            add_count(total.replies.emplace(total.replies.value_or(0)), *row.replies);
        }
        if (all_are_shown(report.flows)) {
            rows.push_back(row);
        }
    }
    if (flows > 1) {
        rows.push_back(std::move(total));
    }
    return rows;
}

std::string losses(const std::vector<Row>& rows) {
    Table table({{"flow", Align::left},
                 {"sent"},
                 {"lost forward"},
                 {"sent back"},
                 {"lost backward"},
                 {"returned"},
                 {"duplicates"},
                 {"reordered"}});
    for (const Row& row : rows) {
        const auto known = [](const std::optional<std::uint64_t>& it) { return it ? std::to_string(*it) : "unknown"; };
        table.add_row({row.name, std::to_string(row.sent), to_string(row.lost.forward), known(row.replies),
                       known(row.lost.backward), std::to_string(row.back.returned), std::to_string(row.back.duplicates),
                       std::to_string(row.back.reordered)});
    }
    return table.to_string(kIndent);
}

std::string microseconds(const LogHistogram& times, double fraction) {
    return times.count() == 0 ? "-" : significant(static_cast<double>(times.percentile(fraction)) / 1e3);
}

std::string times(const std::vector<Row>& rows) {
    Table table({{"flow", Align::left},
                 {"RTT min [us]"},
                 {"p50"},
                 {"p99"},
                 {"max"},
                 {"less residence min [us]"},
                 {"p50"},
                 {"p99"},
                 {"max"}});
    for (const Row& row : rows) {
        const LogHistogram& all = row.back.rtt_ns;
        const LogHistogram& less = row.back.rtt_less_residence_ns;
        table.add_row({row.name, microseconds(all, 0), microseconds(all, 0.5), microseconds(all, 0.99),
                       microseconds(all, 1), microseconds(less, 0), microseconds(less, 0.5), microseconds(less, 0.99),
                       microseconds(less, 1)});
    }
    return table.to_string(kIndent);
}

/// Counters that are not zero.
std::string oddities(const SendReport& report) {
    const FlowOutcome sent = total_outcome(report.flows);
    const auto received = total_received(report);
    const RoundTrip& back = *sent.round_trip;
    const std::pair<std::uint64_t, std::string_view> counters[] = {
        {received ? received->replies_lost : 0, "packets that the receiver could not send back"},
        {back.untimed,
         "replies whose round-trip time is not known (too small, later than is remembered, or of no packet's time)"},
        {back.odd_residence,
         "replies that the receiver says it held for a negative time, or longer than the round trip"},
        {back.kernel_drops, "replies dropped by this host's kernel because a socket's buffer was full"},
        {back.foreign, "packets from other hosts came in where replies do"},
        {back.malformed, "packets came in where replies do that are none of these flows'"},
        {back.forged, "forged replies came in: their seal was wrong, and none was measured"},
        {back.refused, "reports that no program listens on the data port came in among the replies"},
        {back.records_lost, "replies without a record in the log"},
        {back.connections_failed, "connections that could not be made, or were closed before a response"},
        {back.timed_out, "requests given up without a response (--response-timeout)"},
    };
    std::string out;
    for (const auto& [count, what] : counters) {
        if (count > 0) {
            out += fmt::format("  {} {}\n", count, what);
        }
    }
    return out;
}

}  // namespace

std::string round_trips_text(const SendReport& report) {
    const std::vector<Row> rows = rows_of(report);
    if (rows.empty()) {
        return {};
    }
    std::string out = "\nThere and back (round-trip meter; packets)\n" + losses(rows);
    out.append("\n").append(times(rows)).append(oddities(report));
    return out;
}

}  // namespace groma
