#include "decoder/files/sqlite_report.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/decoder/sample_logs.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

/// A results file, written and opened again.
class ResultsFile {
public:
    explicit ResultsFile(const Results& results) {
        write_sqlite_report(results, folder_.file("r.sqlite"));
        database_ = std::make_unique<SQLite::Database>(folder_.file("r.sqlite"));
    }

    [[nodiscard]] SQLite::Column one(const std::string& query) const { return database_->execAndGet(query); }
    [[nodiscard]] std::ptrdiff_t files() const { return files_in(folder_.path()); }

private:
    TemporaryFolder folder_;
    std::unique_ptr<SQLite::Database> database_;
};

TEST(SqliteReport, SaysWhatItIs) {
    const ResultsFile file(small_pair().analyzed());
    EXPECT_EQ(file.one("PRAGMA application_id").getInt(), 0x67726f6d);
    EXPECT_EQ(file.one("PRAGMA user_version").getInt(), 5);
    EXPECT_EQ(file.one("PRAGMA integrity_check").getString(), "ok");
    EXPECT_EQ(file.files(), 1);
}

TEST(SqliteReport, HasTheRunAndItsClock) {
    const ResultsFile file(small_pair().analyzed());
    EXPECT_EQ(file.one("SELECT experiment FROM runs WHERE id = 1").getString(), "sample");
    EXPECT_EQ(file.one("SELECT started_ns FROM runs").getInt64(), kStartNs);
    EXPECT_EQ(file.one("SELECT interval_ns FROM runs").getInt64(), 1'000'000'000);
    EXPECT_EQ(file.one("SELECT clock FROM runs").getString(), "one clock");
    EXPECT_EQ(file.one("SELECT clock_bound_ns FROM runs").getInt64(), 0);
}

TEST(SqliteReport, HasEveryFigureInItsColumn) {
    const ResultsFile file(small_pair().analyzed());
    const auto flow = [&](const std::string& column) { return file.one("SELECT " + column + " FROM flows"); };
    EXPECT_EQ(flow("flow").getInt(), 1);
    EXPECT_EQ(flow("name").getString(), "flow-1");
    EXPECT_EQ(flow("transport").getString(), "udp");
    EXPECT_EQ(flow("target").getString().substr(0, 4), "beta");
    EXPECT_EQ(flow("sent_packets").getInt(), 3);
    EXPECT_EQ(flow("sent_bytes").getInt(), 1500);
    EXPECT_EQ(flow("received_packets").getInt(), 3);
    EXPECT_EQ(flow("received_bytes").getInt(), 1500);
    EXPECT_EQ(flow("lost").getInt(), 1);
    EXPECT_EQ(flow("duplicates").getInt(), 1);
    EXPECT_EQ(flow("reordered").getInt(), 0);
    EXPECT_DOUBLE_EQ(flow("duration_s").getDouble(), 0.023);
    EXPECT_DOUBLE_EQ(flow("throughput_bps").getDouble(), 2 / 0.023 * 8 * 500);
    EXPECT_DOUBLE_EQ(flow("packet_rate_pps").getDouble(), 2 / 0.023);
    EXPECT_EQ(flow("delay_min_ns").getInt(), 1'000'000);
    EXPECT_DOUBLE_EQ(flow("delay_mean_ns").getDouble(), 2'000'000);
    EXPECT_EQ(flow("delay_max_ns").getInt(), 3'000'000);
    EXPECT_DOUBLE_EQ(flow("jitter_ditg_ns").getDouble(), 2'000'000);
    EXPECT_DOUBLE_EQ(flow("jitter_rfc3550_ns").getDouble(), 125'000);
    EXPECT_DOUBLE_EQ(flow("sent_pps").getDouble(), 100);
    EXPECT_EQ(flow("lateness_max_ns").getInt(), 0);
}

TEST(SqliteReport, HasRoundTripsAndTheirTimes) {
    SamplePair pair = small_pair();
    pair.sender.metadata.flows.front().spec.meter = Meter::round_trip;
    const auto at = [](std::int64_t offset_ns) { return wall_time_from_ns(kStartNs + offset_ns); };
    pair.sender.returned = {{FlowId{1},
                             {{.seq = 0,
                               .sent_at = at(0),
                               .returned_at = at(5000),
                               .reflected_at = at(2000),
                               .replied_at = at(2500),
                               .size = 500}}}};
    const ResultsFile file(pair.analyzed());
    const auto trip = [&](const std::string& column) { return file.one("SELECT " + column + " FROM round_trips"); };
    EXPECT_EQ(trip("returned_packets").getInt(), 1);
    EXPECT_EQ(trip("lost").getInt(), 2);
    EXPECT_EQ(trip("forward_lost").getInt(), 1);
    EXPECT_EQ(trip("backward_lost").getInt(), 1);
    EXPECT_EQ(trip("one_way").getString(), "absolute");
    const auto time = [&](const std::string& kind) {
        return file.one("SELECT max_ns FROM measured_times WHERE kind = '" + kind + "'").getInt();
    };
    EXPECT_EQ(time("rtt"), 5000);
    EXPECT_EQ(time("rtt_network"), 4500);
    EXPECT_EQ(time("residence"), 500);
    EXPECT_EQ(time("forward"), 2000);
    EXPECT_EQ(time("backward"), 2500);
    EXPECT_EQ(file.one("SELECT count(*) FROM histograms WHERE kind = 'rtt'").getInt(), 1);
    EXPECT_EQ(file.one("SELECT rtt_max_ns FROM series").getInt(), 5000);
    EXPECT_EQ(file.one("SELECT returned_packets FROM series").getInt(), 1);
}

TEST(SqliteReport, HasConnectionsHeadersStampsAndClocksOfHosts) {
    SamplePair pair = small_pair();
    pair.sender.metadata.flows.front().spec.options.sent_stamps = StampSource::kernel;
    pair.sender.metadata.clock = ClockHealth{.synchronised = true, .estimated_error = Nanos{7}};
    pair.sender.transmitted = {{FlowId{1}, {{0, wall_time_from_ns(kStartNs + 40)}}}};
    pair.receiver.connection = {
        {FlowId{1}, {{.at = wall_time_from_ns(kStartNs + 500'000'000), .rtt = Nanos{99}, .segment = 1448}}}};
    pair.receiver.received.front().second.front().ttl = 61;
    const ResultsFile file(pair.analyzed());
    EXPECT_EQ(file.one("SELECT max_ns FROM measured_times WHERE kind = 'stack'").getInt(), 40);
    EXPECT_EQ(file.one("SELECT stamps FROM transmits").getString(), "kernel");
    EXPECT_EQ(file.one("SELECT side FROM connection").getString(), "receiver");
    EXPECT_DOUBLE_EQ(file.one("SELECT t_s FROM connection").getDouble(), 0.5);
    EXPECT_EQ(file.one("SELECT rtt_ns FROM connection").getInt(), 99);
    EXPECT_EQ(file.one("SELECT segment FROM connection").getInt(), 1448);
    EXPECT_TRUE(file.one("SELECT cwnd FROM connection").isNull());
    EXPECT_EQ(file.one("SELECT rtt_mean_ns FROM connections").getInt(), 99);
    EXPECT_TRUE(file.one("SELECT tcp_efficiency FROM connections").isNull());
    EXPECT_EQ(file.one("SELECT packets FROM arrival_headers WHERE field = 'ttl' AND value = 61").getInt(), 1);
    EXPECT_EQ(file.one("SELECT clock_estimated_error_ns FROM logs WHERE role = 'sender'").getInt(), 7);
    EXPECT_TRUE(file.one("SELECT clock_synchronised FROM logs WHERE role = 'receiver'").isNull());
}

TEST(SqliteReport, KeepsTheReceiversOfAFlowApartAndCountsWhatWasSentOnce) {
    SamplePair pair = small_pair();
    SampleLog gamma = pair.receiver;
    gamma.metadata.host = "gamma";
    const ResultsFile file(
        analyze({pair.sender.source("s"), pair.receiver.source("b"), gamma.source("g")}, AnalysisOptions{}));
    EXPECT_EQ(file.one("SELECT count(*) FROM flows").getInt(), 2);
    EXPECT_EQ(file.one("SELECT receiver_host FROM flows WHERE receiver = 2").getString(), "gamma");
    EXPECT_EQ(file.one("SELECT flows FROM totals").getInt(), 1);
    EXPECT_EQ(file.one("SELECT sent_packets FROM totals").getInt(), 3);
    EXPECT_EQ(file.one("SELECT received_packets FROM totals").getInt(), 6);
    EXPECT_EQ(file.one("SELECT lost FROM totals").getInt(), 2);
    EXPECT_EQ(file.one("SELECT sent_packets FROM series_totals").getInt(), 3);
    EXPECT_EQ(file.one("SELECT count(*) FROM histograms WHERE kind = 'lateness' AND receiver = 2").getInt(), 0);
    EXPECT_GT(file.one("SELECT count(*) FROM histograms WHERE kind = 'delay' AND receiver = 2").getInt(), 0);
}

TEST(SqliteReport, WhatIsUnknownIsNull) {
    const ResultsFile file(analyze({small_pair().sender.source("s")}, {}));
    for (const char* column : {"received_packets", "lost", "delay_min_ns", "jitter_rfc3550_ns", "duration_s"}) {
        EXPECT_TRUE(file.one(std::string("SELECT ") + column + " FROM flows").isNull()) << column;
    }
    EXPECT_EQ(file.one("SELECT lateness_max_ns FROM flows").getInt(), 0);
    EXPECT_TRUE(file.one("SELECT lost FROM totals").isNull());
}

TEST(SqliteReport, HistogramsHoldEveryValue) {
    const ResultsFile file(small_pair().analyzed());
    const auto count = [&](const std::string& kind) {
        return file.one("SELECT TOTAL(count) FROM histograms WHERE flow = 1 AND kind = '" + kind + "'").getInt();
    };
    EXPECT_EQ(count("delay"), 2);
    EXPECT_EQ(count("sent_gap"), 2);
    EXPECT_EQ(count("arrival_gap"), 2);
    EXPECT_EQ(count("lateness"), 3);
    EXPECT_EQ(count("size"), 3);
    EXPECT_GE(file.one("SELECT COUNT(*) FROM asked_gaps").getInt(), 2);
}

TEST(SqliteReport, HasNoAskedGapsOfAFlowWithOffPeriods) {
    SamplePair pair = small_pair();
    pair.sender.metadata.flows[0].spec.on_off = OnOff{.on = Constant{1e9}, .off = Constant{1e9}};
    const ResultsFile file(pair.analyzed());
    EXPECT_EQ(file.one("SELECT COUNT(*) FROM asked_gaps").getInt(), 0);
    EXPECT_GT(file.one("SELECT COUNT(*) FROM histograms WHERE kind = 'sent_gap'").getInt(), 0);
}

TEST(SqliteReport, HasTheSeriesOfEachFlowAndTheirSum) {
    AnalysisOptions options;
    options.interval = Nanos{10'000'000};
    const ResultsFile file(small_pair().analyzed(options));
    EXPECT_EQ(file.one("SELECT COUNT(*) FROM series").getInt(), 3);
    EXPECT_EQ(file.one("SELECT lost FROM series WHERE t_s = 0.01").getInt(), 1);
    EXPECT_EQ(file.one("SELECT SUM(received_packets) FROM series_totals").getInt(), 3);
}

TEST(SqliteReport, KeepsDamageEventsNotesAndWarnings) {
    SamplePair pair = small_pair();
    pair.receiver.gaps.push_back({.offset = 7, .bytes = 9, .reason = "checksum"});
    pair.receiver.events.push_back({wall_time_from_ns(5), std::nullopt, "peer-lost", "it's gone; DROP TABLE runs"});
    pair.receiver.totals.reset();
    const ResultsFile file(pair.analyzed());
    EXPECT_EQ(file.one("SELECT reason FROM log_gaps WHERE log = 'recv.glog' AND offset = 7").getString(), "checksum");
    EXPECT_EQ(file.one("SELECT text FROM events WHERE flow IS NULL").getString(), "it's gone; DROP TABLE runs");
    EXPECT_GE(file.one("SELECT COUNT(*) FROM notes WHERE flow = 1").getInt(), 1);
    EXPECT_EQ(file.one("SELECT COUNT(*) FROM warnings").getInt(), 2);
    EXPECT_TRUE(file.one("SELECT \"end\" FROM logs WHERE role = 'receiver'").isNull());
}

TEST(SqliteReport, ReplacesAnOldFileAtOnce) {
    const TemporaryFolder folder;
    const auto path = folder.file("r.sqlite");
    write_sqlite_report(small_pair().analyzed(), path);
    write_sqlite_report(Results{}, path);
    EXPECT_EQ(SQLite::Database(path).execAndGet("SELECT COUNT(*) FROM runs").getInt(), 0);
    EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(SqliteReport, ADeviceIsRefusedAndStays) {
    const TemporaryFolder folder;
    std::filesystem::create_symlink("/dev/null", folder.file("device"));
    try {
        write_sqlite_report(Results{}, folder.file("device"));
        FAIL() << "nothing was thrown";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("it is not a regular file"));
    }
    EXPECT_TRUE(std::filesystem::is_symlink(folder.file("device")));
}

TEST(SqliteReport, AFolderThatIsNotThereIsAnErrorThatNamesTheFile) {
    const TemporaryFolder folder;
    try {
        write_sqlite_report(Results{}, folder.file("missing/r.sqlite"));
        FAIL() << "nothing was thrown";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), ::testing::HasSubstr("cannot write " + folder.file("missing/r.sqlite")));
    }
    EXPECT_EQ(files_in(folder.path()), 0);
}

TEST(SqliteReport, HasTheInstrumentsOwnErrorAndWhatWasRequired) {
    AnalysisOptions options;
    options.required = parse_requirements("lateness-max=1us,lambda2=0.1");
    SamplePair pair = small_pair();
    pair.sender.sent[0].second[2].lateness = Nanos{3000};
    const ResultsFile file(pair.analyzed(options));
    const auto flow = [&](const std::string& column) {
        return file.one("SELECT " + column + " FROM fidelity WHERE flow = 1");
    };
    EXPECT_EQ(flow("run").getInt(), 1);
    EXPECT_DOUBLE_EQ(flow("sent_pps").getDouble(), 100);
    EXPECT_EQ(flow("lateness_max_ns").getInt(), 3000);
    EXPECT_EQ(flow("packets_alone").getInt(), 3);
    EXPECT_EQ(flow("behind_ns").getInt(), 3000);
    EXPECT_EQ(flow("gaps").getInt(), 2);
    EXPECT_EQ(flow("gap_error_max_ns").getInt(), 3000);
    EXPECT_EQ(flow("gap_variation").getDouble(), 0);
    EXPECT_EQ(flow("gaps_within_1us").getInt(), 1);
    EXPECT_EQ(flow("gaps_within_100us").getInt(), 2);
    EXPECT_TRUE(flow("lambda2").isNull());
    EXPECT_TRUE(flow("a2").isNull());
    EXPECT_EQ(file.one("SELECT gaps FROM fidelity WHERE flow IS NULL").getInt(), 2);
    EXPECT_EQ(file.one("SELECT met FROM requirements WHERE what = 'lateness-max'").getInt(), 0);
    EXPECT_EQ(file.one("SELECT worst FROM requirements WHERE what = 'lateness-max'").getDouble(), 3000);
    EXPECT_TRUE(file.one("SELECT worst FROM requirements WHERE what = 'lambda2'").isNull());
    EXPECT_EQ(file.one("SELECT SUM(count) FROM histograms WHERE kind = 'gap_error'").getInt(), 2);
    EXPECT_EQ(file.one("SELECT SUM(count) FROM histograms WHERE kind = 'batch'").getInt(), 3);
}

TEST(SqliteReport, AFitHasItsColumns) {
    Results results = small_pair().analyzed();
    results.runs[0].flows[0].sent->fidelity.fit = DistributionFit{
        .gaps = 99, .bins = 8, .lambda2 = 0.02, .lambda2_error = 0.03, .ks = 0.05, .ks_within = 0.001, .a2 = 0.9};
    const ResultsFile file(results);
    const auto flow = [&](const std::string& column) {
        return file.one("SELECT " + column + " FROM fidelity WHERE flow = 1").getDouble();
    };
    EXPECT_EQ(flow("fit_gaps"), 99);
    EXPECT_EQ(flow("fit_bins"), 8);
    EXPECT_EQ(flow("lambda2"), 0.02);
    EXPECT_EQ(flow("lambda2_error"), 0.03);
    EXPECT_EQ(flow("ks"), 0.05);
    EXPECT_EQ(flow("ks_within"), 0.001);
    EXPECT_DOUBLE_EQ(file.one("SELECT ks_p_low FROM flows").getDouble(), ks_chance(0.051, 99));
    EXPECT_DOUBLE_EQ(file.one("SELECT ks_p_high FROM flows").getDouble(), ks_chance(0.05, 99));
    EXPECT_EQ(flow("a2"), 0.9);
}

}  // namespace
}  // namespace groma
