// Results as the decoder writes them, for tests.
#pragma once

#include <string>

#include "tests/plots/sample_file.hpp"

namespace groma {

/// A results file in a directory of its own, removed at the end.
class SampleResults : public SampleFile {
public:
    SampleResults() : SampleFile("results.sqlite") {
        exec(
            "PRAGMA user_version = 5; PRAGMA application_id = 0x67726f6d;"
            "CREATE TABLE runs(id INTEGER PRIMARY KEY, run_id TEXT, experiment TEXT, interval_ns INTEGER, "
            "clock_bound_ns INTEGER, clock TEXT);"
            "CREATE TABLE flows(id INTEGER PRIMARY KEY, run INTEGER, flow INTEGER, name TEXT, receiver INTEGER,"
            " receiver_host TEXT, idt TEXT, on_periods TEXT);"
            "CREATE TABLE series(run INTEGER, flow INTEGER, t_s REAL, sent_packets INTEGER, throughput_bps REAL,"
            " packet_rate_pps REAL, delay_mean_ns REAL, delay_min_ns INTEGER, delay_max_ns INTEGER, jitter_ns REAL, "
            "lost INTEGER, receiver INTEGER, rtt_mean_ns REAL, rtt_min_ns INTEGER, rtt_max_ns INTEGER, "
            "received_packets INTEGER, sent_rate_pps REAL, received_bytes INTEGER, covered_s REAL, sent_covered_s "
            "REAL);"
            "CREATE TABLE histograms(run INTEGER, flow INTEGER, kind TEXT, low INTEGER, high INTEGER, count INTEGER,"
            " receiver INTEGER);"
            "CREATE TABLE connection(run INTEGER, flow INTEGER, receiver INTEGER, side TEXT, t_s REAL, rtt_ns INTEGER,"
            " cwnd INTEGER, retransmitted INTEGER);"
            "CREATE TABLE fidelity(run INTEGER, flow INTEGER, lambda2 REAL);"
            "CREATE TABLE asked_gaps(run INTEGER, flow INTEGER, gap_ns REAL, cdf REAL);"
            "CREATE TABLE loss_patterns(run INTEGER, flow INTEGER, receiver INTEGER, good_followed INTEGER, good_to_bad"
            " INTEGER, bad_followed INTEGER, bad_to_good INTEGER, unknown_because TEXT);"
            "CREATE TABLE reordering(run INTEGER, flow INTEGER, receiver INTEGER, reordered INTEGER, ratio REAL);"
            "CREATE TABLE n_reordering(run INTEGER, flow INTEGER, receiver INTEGER, n INTEGER, packets INTEGER);"
            "CREATE INDEX series_by_flow ON series(run, flow, receiver, t_s);"
            "CREATE INDEX connection_by_flow ON connection(run, flow, receiver, side, t_s);"
            "INSERT INTO runs VALUES(1, '1a2b3c4d5e6f', 'sample', 1000000000, 0, 'one clock')");
    }

    /// A flow that both sides logged: `intervals` seconds of it, and one packet in each histogram.
    void add_flow(int number, const std::string& name, int intervals) {
        const std::string flow = std::to_string(number);
        exec("INSERT INTO flows(run, flow, name, receiver) VALUES(1, " + flow + ", '" + name + "', 1)");
        for (int i = 0; i < intervals; ++i) {
            exec("INSERT INTO series VALUES(1, " + flow + ", " + std::to_string(i) +
                 ", 100, 8e5, 100, 2e5, 1e5, 4e5, 1e4, 0, 1, NULL, NULL, NULL, 100, 100, 1e5, 1, 1)");
        }
        for (const char* kind : {"delay", "sent_gap", "lateness"}) {
            exec("INSERT INTO histograms VALUES(1, " + flow + ", '" + kind + "', 1000, 1007, 1, 1)");
        }
        exec("INSERT INTO asked_gaps VALUES(1, " + flow + ", 1000, 1)");
    }

    /// The further figures of a flow that is sent back over a connection.
    void add_measured(int number, int intervals) {
        const std::string flow = std::to_string(number);
        exec("UPDATE series SET rtt_mean_ns = 5e5 + 1e4 * t_s, rtt_min_ns = 4e5, rtt_max_ns = 9e5 WHERE flow = " +
             flow);
        exec("INSERT INTO histograms VALUES(1, " + flow + ", 'rtt', 400000, 900000, 10, 1)");
        for (int i = 0; i < intervals; ++i) {
            exec("INSERT INTO connection VALUES(1, " + flow + ", 1, 'sender', " + std::to_string(i) + ".3, " +
                 std::to_string(400'000 + i * 1000) + ", " + std::to_string(14'480 * (i + 1)) + ", " +
                 std::to_string(i / 3) + ")");
        }
    }

    /// Losses and reordering, for a flow that has none yet: 1000 packets, 12 lost in 6 periods, 8 reordered.
    void add_patterns(int number) {
        const std::string flow = std::to_string(number);
        exec("INSERT INTO loss_patterns VALUES(1, " + flow + ", 1, 988, 6, 12, 6, NULL)");
        exec("INSERT INTO histograms VALUES(1, " + flow + ", 'loss_period', 1, 1, 3, 1), (1, " + flow +
             ", 'loss_period', 2, 2, 1, 1), (1, " + flow + ", 'loss_period', 3, 3, 1, 1), (1, " + flow +
             ", 'loss_period', 4, 4, 1, 1)");
        exec("INSERT INTO histograms VALUES(1, " + flow + ", 'loss_distance', 1, 1, 6, 1), (1, " + flow +
             ", 'loss_distance', 100, 100, 2, 1), (1, " + flow + ", 'loss_distance', 200, 201, 3, 1)");
        exec("INSERT INTO reordering VALUES(1, " + flow + ", 1, 8, 8.0 / 988)");
        exec("INSERT INTO histograms VALUES(1, " + flow + ", 'reordering_extent', 1, 1, 5, 1), (1, " + flow +
             ", 'reordering_extent', 4, 4, 3, 1)");
        exec("INSERT INTO n_reordering VALUES(1, " + flow + ", 1, 1, 8), (1, " + flow + ", 1, 2, 3), (1, " + flow +
             ", 1, 3, 2)");
    }
};

}  // namespace groma
