#include "decoder/files/sqlite_schema.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "common/sqlite/figure_rows.hpp"
#include "common/stats/fidelity/fidelity_figures.hpp"
#include "common/stats/fidelity/requirement_figures.hpp"
#include "common/stats/histograms/spread_figures.hpp"
#include "decoder/results/flow_tables.hpp"

namespace groma {

namespace {

constexpr const char* kOtherTables = R"sql(
CREATE TABLE group_flows(run INTEGER, group_number INTEGER, flow INTEGER, receiver INTEGER);
CREATE TABLE warnings(text TEXT);
CREATE VIEW clocks AS SELECT run, flow, clock AS state, clock_offset_ns AS offset_ns, clock_bound_ns AS bound_ns,
    clock_probes AS probes, receiver, clock_skew_ppm AS skew_ppm, clock_skew_error_ppm AS skew_error_ppm FROM flows;
CREATE VIEW loss_patterns AS SELECT run, flow, receiver, loss_packets AS packets, loss_lost AS lost,
    loss_period_count AS periods, loss_period_mean AS period_mean, loss_period_max AS period_max,
    loss_distance_mean AS distance_mean, gilbert_p, gilbert_p_error, gilbert_r, gilbert_r_error, good_followed,
    good_to_bad, bad_followed, bad_to_good, loss_pattern_to_the_end AS to_the_end,
    loss_pattern_unknown_because AS unknown_because FROM flows;
CREATE VIEW reordering AS SELECT run, flow, receiver, reordered, reordered_ratio AS ratio, extent_mean, extent_p50,
    extent_p99, extent_max, extents_unknown, three_reordered, packets_with_copies FROM flows
    WHERE received_packets IS NOT NULL;
CREATE VIEW totals AS SELECT run, COUNT(DISTINCT flow) AS flows,
    CASE WHEN COUNT(sent_packets) = COUNT(*) THEN SUM(CASE receiver WHEN 1 THEN sent_packets END) END AS sent_packets,
    CASE WHEN COUNT(received_packets) = COUNT(*) THEN SUM(received_packets) END AS received_packets,
    CASE WHEN COUNT(received_bytes) = COUNT(*) THEN SUM(received_bytes) END AS received_bytes,
    CASE WHEN COUNT(lost) = COUNT(*) THEN SUM(lost) END AS lost,
    CASE WHEN COUNT(duplicates) = COUNT(*) THEN SUM(duplicates) END AS duplicates,
    CASE WHEN COUNT(reordered) = COUNT(*) THEN SUM(reordered) END AS reordered
    FROM flows GROUP BY run;
CREATE VIEW group_histograms AS SELECT g.run, g.group_number, h.kind, h.low, h.high, SUM(h.count) AS count
    FROM group_flows g JOIN histograms h ON h.run = g.run AND h.flow = g.flow AND h.receiver = g.receiver
    GROUP BY g.run, g.group_number, h.kind, h.low, h.high;
)sql";

constexpr const char* kIndexes = R"sql(
CREATE INDEX group_flows_by_flow ON group_flows(run, flow, receiver);
CREATE INDEX series_by_flow ON series(run, flow, receiver, t_s);
CREATE INDEX histograms_by_flow ON histograms(run, flow, receiver, kind, low);
CREATE INDEX connection_by_flow ON connection(run, flow, receiver, side, t_s);
CREATE INDEX asked_gaps_by_flow ON asked_gaps(run, flow, gap_ns);
)sql";

template <typename Record>
std::string create_table(std::string_view name, std::string_view keys, const FigureTable<Record>& figures) {
    return std::string("CREATE TABLE ").append(name).append("(").append(keys) + column_definitions(figures) + ");\n";
}

/// The sender's own figures, of each flow once, and of all together.
std::string fidelity_view() {
    std::string names = ", gap_error_count AS gaps, batch_size_max AS largest_batch";
    for (const Figure<Fidelity>& figure : fidelity_figures()) {
        names.append(", ").append(figure.name);
    }
    return "CREATE VIEW fidelity AS SELECT run, flow" + names +
           " FROM flows WHERE receiver = 1 AND sent_packets IS NOT NULL UNION ALL SELECT run, NULL" + names +
           " FROM groups WHERE group_number = 0 AND sent_packets IS NOT NULL;\n";
}

/// The sum of a count, which is unknown where one of its rows is.
std::string known_sum(std::string_view count) {
    return fmt::format("CASE WHEN COUNT({0}) = COUNT(*) THEN SUM({0}) END AS {0}", count);
}

/// Counts of each interval of several flows, whose rows have these keys; what was sent counts once for all receivers of
/// a flow.
std::string series_sums(std::string_view keys, std::string_view rows) {
    const std::string arrived =
        known_sum("received_packets") + ", " + known_sum("received_bytes") + ", " + known_sum("lost");
    return fmt::format(
        "SELECT {0}, t_s, {1}, {2} FROM (SELECT {0}, flow, t_s, MAX(sent_packets) AS sent_packets, {2} FROM {3} GROUP "
        "BY {0}, flow, t_s) GROUP BY {0}, t_s;\n",
        keys, known_sum("sent_packets"), arrived, rows);
}

std::string series_views() {
    return "CREATE VIEW series_totals AS " + series_sums("run", "series") + "CREATE VIEW group_series AS " +
           series_sums("run, group_number", "group_flows JOIN series USING (run, flow, receiver)");
}

/// Times that only some flows have, a row for each.
std::string measured_times_view() {
    constexpr std::pair<const char*, const char*> kTimes[] = {{"pdv", "flows"},
                                                              {"ipdv", "flows"},
                                                              {"rtt", "round_trips"},
                                                              {"rtt_network", "round_trips"},
                                                              {"residence", "round_trips"},
                                                              {"forward", "round_trips"},
                                                              {"backward", "round_trips"},
                                                              {"stack", "transmits"},
                                                              {"transmit_delay", "transmits"}};
    std::string view;
    for (const auto& [kind, table] : kTimes) {
        view.append(view.empty() ? "CREATE VIEW measured_times AS " : " UNION ALL ");
        view += fmt::format("SELECT run, flow, receiver, '{0}' AS kind, {0}_count AS count", kind);
        for (const SpreadFigureRow& row : kSpreadFigures) {
            if (row.figure != SpreadFigure::count) {
                view += fmt::format(", {0}_{1}_ns AS {1}_ns", kind, row.name);
            }
        }
        view += fmt::format(" FROM {} WHERE {}_count > 0", table, kind);
    }
    return view + ";\n";
}

}  // namespace

std::string results_schema() {
    std::string schema =
        create_table("runs", "id INTEGER PRIMARY KEY", run_figures()) +
        create_table("requirements", "run INTEGER", requirement_figures()) +
        create_table("flows", "id INTEGER PRIMARY KEY, run INTEGER", flow_result_figures()) +
        create_table(
            "groups",
            "run INTEGER, group_number INTEGER, name TEXT, hosts TEXT, transport TEXT, profile TEXT, label TEXT",
            total_figures()) +
        create_table("logs", "run INTEGER", log_figures()) +
        create_table("log_gaps", "run INTEGER, log TEXT", log_gap_figures()) +
        create_table("events", "run INTEGER, log TEXT", log_event_figures());
    constexpr std::string_view kKeyColumns = "run INTEGER, flow INTEGER, receiver INTEGER";
    for_each_flow_table([&](const FlowTableName& name, const auto& figures, auto) {
        schema += create_table(name.table, kKeyColumns, figures);
    });
    return schema + create_table("asked_gaps", kKeyColumns, asked_gap_figures()) + fidelity_view() +
           measured_times_view() + kOtherTables + series_views();
}

std::string results_indexes() {
    return kIndexes;
}

}  // namespace groma
