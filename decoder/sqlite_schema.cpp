#include "decoder/sqlite_schema.hpp"

#include "common/sqlite/figure_rows.hpp"
#include "common/stats/fidelity_figures.hpp"
#include "decoder/figures.hpp"

namespace groma {

namespace {

constexpr const char* kOtherTables = R"sql(
CREATE TABLE runs(id INTEGER PRIMARY KEY, run_id TEXT, experiment TEXT, started_ns INTEGER, seed INTEGER,
    interval_ns INTEGER, clock TEXT, clock_offset_ns INTEGER, clock_bound_ns INTEGER, from_s REAL, until_s REAL,
    size_least INTEGER, size_most INTEGER);
CREATE TABLE requirements(run INTEGER, what TEXT, "limit" REAL, worst REAL, flow TEXT, met INTEGER);
CREATE TABLE histograms(run INTEGER, flow INTEGER, kind TEXT, low INTEGER, high INTEGER, count INTEGER,
    receiver INTEGER);
CREATE TABLE asked_gaps(run INTEGER, flow INTEGER, gap_ns REAL, cdf REAL);
CREATE TABLE clocks(run INTEGER, flow INTEGER, state TEXT, offset_ns INTEGER, bound_ns INTEGER, probes INTEGER,
    receiver INTEGER, skew_ppm REAL, skew_error_ppm REAL);
CREATE TABLE logs(run INTEGER, log TEXT, role TEXT, host TEXT, program TEXT, timestamps TEXT, records INTEGER,
    end TEXT, clock_synchronised INTEGER, clock_estimated_error_ns INTEGER, clock_maximum_error_ns INTEGER,
    clock_frequency_ppm REAL, cpu_user_s REAL, cpu_system_s REAL, voluntary_switches INTEGER,
    involuntary_switches INTEGER, cpu_ns_per_packet REAL);
CREATE TABLE events(run INTEGER, log TEXT, at_ns INTEGER, flow INTEGER, kind TEXT, text TEXT);
CREATE TABLE notes(run INTEGER, flow INTEGER, text TEXT, receiver INTEGER);
CREATE TABLE round_trips(run INTEGER, flow INTEGER, replies INTEGER, duplicates INTEGER, unnumbered INTEGER,
    undated INTEGER, lost INTEGER, forward_lost INTEGER, backward_lost INTEGER, backward_lost_from TEXT, one_way TEXT);
CREATE TABLE measured_times(run INTEGER, flow INTEGER, receiver INTEGER, kind TEXT, count INTEGER, min_ns INTEGER,
    mean_ns REAL, sd_ns REAL, p50_ns INTEGER, p90_ns INTEGER, p99_ns INTEGER, p999_ns INTEGER, max_ns INTEGER);
CREATE TABLE n_reordering(run INTEGER, flow INTEGER, receiver INTEGER, n INTEGER, packets INTEGER);
CREATE TABLE transmits(run INTEGER, flow INTEGER, stamps TEXT, packets INTEGER, unmatched INTEGER);
CREATE TABLE connections(run INTEGER, flow INTEGER, receiver INTEGER, side TEXT, samples INTEGER, rtt_min_ns INTEGER,
    rtt_mean_ns REAL, rtt_max_ns INTEGER, cwnd_min INTEGER, cwnd_mean REAL, cwnd_max INTEGER, retransmitted INTEGER,
    retransmitted_bytes INTEGER, delivery_rate_min_bps INTEGER, delivery_rate_max_bps INTEGER,
    pacing_rate_max_bps INTEGER, tcp_efficiency REAL, buffer_delay REAL, transfer_time_ratio REAL,
    samples_left_out INTEGER);
CREATE TABLE arrival_headers(run INTEGER, flow INTEGER, receiver INTEGER, field TEXT, value INTEGER, packets INTEGER);
CREATE TABLE group_flows(run INTEGER, group_number INTEGER, flow INTEGER, receiver INTEGER);
CREATE TABLE warnings(text TEXT);
CREATE VIEW loss_patterns AS SELECT run, flow, receiver, loss_packets AS packets, loss_lost AS lost,
    loss_periods AS periods, loss_period_mean AS period_mean, loss_period_max AS period_max,
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
CREATE VIEW series_totals AS SELECT run, t_s, SUM(CASE receiver WHEN 1 THEN sent_packets END) AS sent_packets,
    SUM(received_packets) AS received_packets, SUM(received_bytes) AS received_bytes,
    SUM(throughput_bps) AS throughput_bps, SUM(packet_rate_pps) AS packet_rate_pps, SUM(lost) AS lost
    FROM series GROUP BY run, t_s;
CREATE VIEW group_series AS SELECT g.run, g.group_number, s.t_s,
    SUM(CASE s.receiver WHEN 1 THEN s.sent_packets END) AS sent_packets, SUM(s.received_packets) AS received_packets,
    SUM(s.received_bytes) AS received_bytes, SUM(s.throughput_bps) AS throughput_bps,
    SUM(s.packet_rate_pps) AS packet_rate_pps, SUM(s.lost) AS lost
    FROM group_flows g JOIN series s ON s.run = g.run AND s.flow = g.flow AND s.receiver = g.receiver
    GROUP BY g.run, g.group_number, s.t_s;
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
std::string create_table(const char* name, const char* keys, const FigureTable<Record>& figures) {
    return std::string("CREATE TABLE ").append(name) + '(' + keys + column_definitions(figures) + ");\n";
}

/// The sender's own figures, of each flow once, and of all together.
std::string fidelity_view() {
    std::string names;
    for (const Figure<Fidelity>& figure : fidelity_figures()) {
        names.append(", ").append(figure.name);
    }
    return "CREATE VIEW fidelity AS SELECT run, flow" + names +
           " FROM flows WHERE receiver = 1 AND sent_packets IS NOT NULL UNION ALL SELECT run, NULL" + names +
           " FROM groups WHERE group_number = 0 AND sent_packets IS NOT NULL;\n";
}

}  // namespace

std::string results_schema() {
    const char* const kOfReceiver = "run INTEGER, flow INTEGER, receiver INTEGER";
    return create_table("series", kOfReceiver, series_figures()) +
           create_table("clock_steps", kOfReceiver, clock_step_figures()) +
           create_table("connection", "run INTEGER, flow INTEGER, receiver INTEGER, side TEXT", sample_figures()) +
           create_table("flows",
                        "id INTEGER PRIMARY KEY, run INTEGER, flow INTEGER, receiver INTEGER, receiver_host TEXT, "
                        "name TEXT, transport TEXT, profile TEXT, idt TEXT, size TEXT, target TEXT",
                        flow_figures()) +
           create_table("groups",
                        "run INTEGER, group_number INTEGER, name TEXT, hosts TEXT, transport TEXT, profile TEXT, label "
                        "TEXT, flows INTEGER",
                        flow_figures()) +
           fidelity_view() + create_table("log_gaps", "run INTEGER, log TEXT", log_gap_figures()) + kOtherTables;
}

std::string results_indexes() {
    return kIndexes;
}

}  // namespace groma
