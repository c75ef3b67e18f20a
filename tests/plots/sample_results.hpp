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
            "PRAGMA user_version = 3; PRAGMA application_id = 0x67726f6d;"
            "CREATE TABLE runs(id INTEGER PRIMARY KEY, run_id TEXT, experiment TEXT, interval_ns INTEGER, "
            "clock_bound_ns INTEGER, clock TEXT);"
            "CREATE TABLE flows(id INTEGER PRIMARY KEY, run INTEGER, flow INTEGER, name TEXT, receiver INTEGER,"
            " receiver_host TEXT);"
            "CREATE TABLE series(run INTEGER, flow INTEGER, t_s REAL, sent_packets INTEGER, throughput_bps REAL,"
            " packet_rate_pps REAL, delay_mean_ns REAL, delay_min_ns INTEGER, delay_max_ns INTEGER, jitter_ns REAL, "
            "lost INTEGER, receiver INTEGER, rtt_mean_ns REAL, rtt_min_ns INTEGER, rtt_max_ns INTEGER, "
            "received_packets INTEGER);"
            "CREATE TABLE histograms(run INTEGER, flow INTEGER, kind TEXT, low INTEGER, high INTEGER, count INTEGER,"
            " receiver INTEGER);"
            "CREATE TABLE connection(run INTEGER, flow INTEGER, receiver INTEGER, side TEXT, t_s REAL, rtt_ns INTEGER,"
            " cwnd INTEGER, retransmitted INTEGER);"
            "CREATE TABLE fidelity(run INTEGER, flow INTEGER, lambda2 REAL);"
            "CREATE TABLE asked_gaps(run INTEGER, flow INTEGER, gap_ns REAL, cdf REAL);"
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
                 ", 100, 8e5, 100, 2e5, 1e5, 4e5, 1e4, 0, 1, NULL, NULL, NULL, 100)");
        }
        for (const char* kind : {"delay", "sent_gap", "lateness"}) {
            exec("INSERT INTO histograms VALUES(1, " + flow + ", '" + kind + "', 1000, 1007, 1, 1)");
        }
        exec("INSERT INTO asked_gaps VALUES(1, " + flow + ", 1000, 1)");
    }

    /// What a flow has besides when it is sent back over a connection.
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
};

}  // namespace groma
