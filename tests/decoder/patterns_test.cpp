
#include <SQLiteCpp/SQLiteCpp.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "common/os/temporary_folder.hpp"
#include "decoder/files/sqlite_report.hpp"
#include "decoder/text/text_report.hpp"
#include "tests/decoder/json_report.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;

/// Ten packets, 10 ms apart: 2, 3 and 6 are lost, 5 comes before 4, and 8 three times.
SamplePair pair_with_patterns() {
    std::vector<SentRecord> sent;
    for (std::uint64_t seq = 0; seq < 10; ++seq) {
        sent.push_back(sent_packet(seq, static_cast<std::int64_t>(seq) * 10'000'000));
    }
    std::vector<ReceivedRecord> received;
    const std::vector<std::pair<std::uint64_t, std::int64_t>> arrivals{{0, 1'000'000},  {1, 1'000'100}, {5, 1'000'000},
                                                                       {4, 21'000'000}, {7, 1'000'000}, {8, 1'000'300},
                                                                       {8, 1'000'400},  {8, 1'000'500}, {9, 1'000'200}};
    for (const auto& [seq, delay] : arrivals) {
        received.push_back(received_packet(seq, static_cast<std::int64_t>(seq) * 10'000'000, delay));
    }
    return pair_of(sent, received);
}

TEST(Patterns, AreInTheJsonReport) {
    const auto json = nlohmann::json::parse(json_report(pair_with_patterns().analyzed()));
    for (const auto& flow : {json["runs"][0]["flows"][0], json["runs"][0]["total"]}) {
        EXPECT_EQ(flow["loss_packets"], 10);
        EXPECT_EQ(flow["loss_lost"], 3);
        EXPECT_EQ(flow["loss_pattern_to_the_end"], true);
        EXPECT_EQ(flow["loss_period_count"], 2);
        EXPECT_EQ(flow["loss_period_mean"], 1.5);
        EXPECT_EQ(flow["loss_distance_max"], 3);
        EXPECT_DOUBLE_EQ(flow["gilbert_p"].get<double>(), 2.0 / 6);
        EXPECT_DOUBLE_EQ(flow["gilbert_r"].get<double>(), 2.0 / 3);
        EXPECT_TRUE(flow["loss_pattern_unknown_because"].is_null());
        EXPECT_EQ(flow["reordered"], 1);
        EXPECT_DOUBLE_EQ(flow["reordered_ratio"].get<double>(), 1.0 / 7);
        EXPECT_EQ(flow["extent_max"], 1);
    }
    const auto& received = json["runs"][0]["flows"][0];
    EXPECT_EQ(received["n_reordering"], nlohmann::json::array({{{"n", 1}, {"packets", 1}, {"degree", 1.0 / 7}}}));
    const auto displaced = [](int by, int packets) {
        return nlohmann::json{{"displacement", by}, {"packets", packets}, {"share", packets / 7.0}};
    };
    EXPECT_EQ(received["reorder_density"], nlohmann::json::array({displaced(-1, 1), displaced(0, 5), displaced(1, 1)}));
    EXPECT_EQ(received["free_run_count"], 2);
    EXPECT_EQ(received["free_run_max"], 3);
    EXPECT_EQ(received["packets_with_copies"], 1);
    EXPECT_EQ(received["duplicates"], 2);
    EXPECT_EQ(received["pdv_max_ns"], 20'000'000);
    EXPECT_EQ(received["ipdv_count"], 4);
    EXPECT_EQ(received["ipdv_min_ns"], -20'000'000);
    EXPECT_EQ(received["ipdv_max_ns"], 300);
    EXPECT_EQ(received["ipdv_missed"], 0);
}

TEST(Patterns, AreInTheResultsFile) {
    const TemporaryFolder folder;
    write_sqlite_report(pair_with_patterns().analyzed(), folder.file("r.sqlite"));
    SQLite::Database database(folder.file("r.sqlite"));
    const auto one = [&](const std::string& query) { return database.execAndGet("SELECT " + query); };
    EXPECT_EQ(one("lost FROM loss_patterns").getInt(), 3);
    EXPECT_EQ(one("period_max FROM loss_patterns").getInt(), 2);
    EXPECT_DOUBLE_EQ(one("distance_mean FROM loss_patterns").getDouble(), 2);
    EXPECT_DOUBLE_EQ(one("gilbert_p FROM loss_patterns").getDouble(), 2.0 / 6);
    EXPECT_EQ(one("bad_to_good FROM loss_patterns").getInt(), 2);
    EXPECT_EQ(one("to_the_end FROM loss_patterns").getInt(), 1);
    EXPECT_TRUE(one("unknown_because FROM loss_patterns").isNull());
    EXPECT_EQ(one("extent_max FROM reordering").getInt(), 1);
    EXPECT_EQ(one("packets_with_copies FROM reordering").getInt(), 1);
    EXPECT_EQ(one("three_reordered FROM reordering").getInt(), 0);
    EXPECT_EQ(one("packets FROM n_reordering WHERE n = 1").getInt(), 1);
    EXPECT_EQ(one("max_ns FROM measured_times WHERE kind = 'pdv'").getInt(), 20'000'000);
    EXPECT_EQ(one("min_ns FROM measured_times WHERE kind = 'ipdv'").getInt(), -20'000'000);
    EXPECT_EQ(one("sum(count) FROM histograms WHERE kind = 'loss_period'").getInt(), 2);
    EXPECT_EQ(one("sum(count) FROM histograms WHERE kind = 'ipdv'").getInt(), 4);
}

TEST(Patterns, AreInTheTextWhereThereAreAny) {
    const std::string text = text_report(pair_with_patterns().analyzed());
    EXPECT_THAT(text, HasSubstr("Loss pattern"));
    EXPECT_THAT(text, HasSubstr("0.333"));
    EXPECT_THAT(text, Not(HasSubstr("0.333 +-"))) << "of two loss periods";
    EXPECT_THAT(text, HasSubstr("Reordering"));
    EXPECT_THAT(text, HasSubstr("Duplicates"));
    const std::string none = text_report(pair_of({sent_packet(0, 0)}, {received_packet(0, 0, 1'000'000)}).analyzed());
    EXPECT_THAT(none, Not(HasSubstr("Loss pattern")));
    EXPECT_THAT(none, Not(HasSubstr("Reordering")));
    EXPECT_THAT(none, Not(HasSubstr("Duplicates")));
}

TEST(Patterns, HaveErrorsInTheTextWithTenLossPeriods) {
    std::vector<SentRecord> sent;
    std::vector<ReceivedRecord> received;
    for (std::uint64_t seq = 0; seq < 30; ++seq) {
        const auto at = static_cast<std::int64_t>(seq) * 10'000'000;
        sent.push_back(sent_packet(seq, at));
        if (seq % 3 != 1) {
            received.push_back(received_packet(seq, at, 1'000'000));
        }
    }
    EXPECT_THAT(text_report(pair_of(sent, received).analyzed()), HasSubstr("0.526 +- 0.115"));  // 10 of 19
}

TEST(LossPatternOf, GoesToTheLastPacketReceivedWithoutTheSendersLog) {
    SamplePair pair = pair_with_patterns();
    const Results results = analyze({pair.receiver.source("recv.glog")}, {});
    const LossPatternFigures& figures = only_flow(results).loss_pattern;
    ASSERT_TRUE(figures.counts);
    EXPECT_FALSE(figures.to_the_end);
    EXPECT_EQ(figures.counts->lost, 3U);
}

TEST(LossPatternOf, CountsALossAtTheVeryEndAndNotWhatTheHostRefused) {
    SamplePair pair =
        pair_of({sent_packet(0, 0), sent_packet(3, 30), sent_packet(5, 50)}, {received_packet(0, 0, 1'000'000)});
    const Results results = pair.analyzed();
    const LossPatternFigures& figures = only_flow(results).loss_pattern;
    ASSERT_TRUE(figures.counts) << figures.unknown_because;
    EXPECT_EQ(figures.counts->packets, 3U);
    EXPECT_EQ(figures.counts->periods.count(), 1U);
    EXPECT_EQ(figures.counts->periods.max(), 2);
}

TEST(LossPatternOf, IsUnknownWhereRecordsAreMissingOnEitherSide) {
    for (const bool sender : {true, false}) {
        SamplePair pair = pair_with_patterns();
        ++(sender ? pair.sender : pair.receiver).totals->flows.front().packets;
        const Results results = pair.analyzed();
        EXPECT_FALSE(only_flow(results).loss_pattern.counts);
        EXPECT_THAT(only_flow(results).loss_pattern.unknown_because, HasSubstr(sender ? "sender's" : "receiver's"));
        EXPECT_THAT(only_flow(results).notes, Contains(HasSubstr("loss pattern: unknown")));
    }
}

TEST(LossPatternOf, IsUnknownOfPacketsWithoutANumber) {
    SamplePair pair = pair_with_patterns();
    pair.receiver.received.front().second.front().seq = ReceivedRecord::kNoSeq;
    const Results results = pair.analyzed();
    EXPECT_THAT(only_flow(results).loss_pattern.unknown_because, HasSubstr("1 packet carried no sequence number"));
}

TEST(LossPatternOf, IsUnknownWhenWhatArrivedWasNeverSent) {
    SamplePair pair = pair_with_patterns();
    pair.receiver.received.front().second.push_back(received_packet(17, 170'000'000, 1'000'000));
    close(pair.receiver);
    const Results results = pair.analyzed();
    EXPECT_FALSE(only_flow(results).loss_pattern.counts);
    EXPECT_THAT(only_flow(results).loss_pattern.unknown_because, HasSubstr("does not have"));
}

}  // namespace
}  // namespace groma
