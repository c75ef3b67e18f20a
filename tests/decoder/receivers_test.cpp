// A flow that several hosts received (multicast): each has its own figures, and what was sent counts once.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "decoder/files/csv_report.hpp"
#include "decoder/text/text_report.hpp"
#include "tests/decoder/json_report.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

/// Four packets; beta got three of them and one twice, gamma two.
struct Multicast {
    SampleLog sender = empty_log(LogRole::sender);
    SampleLog beta = empty_log(LogRole::receiver);
    SampleLog gamma = empty_log(LogRole::receiver);

    Multicast() {
        sender.sent = {{FlowId{1},
                        {sent_packet(0, 0), sent_packet(1, 10'000'000), sent_packet(2, 1'020'000'000),
                         sent_packet(3, 1'030'000'000)}}};
        beta.received = {
            {FlowId{1},
             {received_packet(0, 0, 1'000'000), received_packet(1, 10'000'000, 1'000'000),
              received_packet(2, 1'020'000'000, 1'000'000), received_packet(2, 1'020'000'000, 2'000'000)}}};
        gamma.received = {
            {FlowId{1}, {received_packet(0, 0, 5'000'000), received_packet(3, 1'030'000'000, 7'000'000)}}};
        gamma.metadata.host = "gamma";
        close(sender);
        close(beta);
        close(gamma);
    }

    [[nodiscard]] Results analyzed() const {
        return analyze({beta.source("beta.glog"), sender.source("send.glog"), gamma.source("gamma.glog")}, {});
    }
};

TEST(Receivers, EachHasItsOwnFigures) {
    const Results results = Multicast().analyzed();
    const auto& flows = results.runs.at(0).flows;
    ASSERT_EQ(flows.size(), 2U);
    EXPECT_EQ(flows[0].receiver, "beta");
    EXPECT_EQ(flows[1].receiver, "gamma");
    EXPECT_EQ(flows[0].receiver_number, 1U);
    EXPECT_EQ(flows[1].receiver_number, 2U);
    EXPECT_EQ(flows[0].receivers, 2U);
    EXPECT_EQ(flows[0].loss.packets, 1U);
    EXPECT_EQ(flows[1].loss.packets, 2U);
    EXPECT_EQ(flows[0].received->duplicates, 1U);
    EXPECT_EQ(flows[1].received->duplicates, 0U);
    EXPECT_EQ(flows[0].received->delay_ns.max, 1'000'000);
    EXPECT_EQ(flows[1].received->delay_ns.max, 7'000'000);
    EXPECT_EQ(flows[1].sent->packets, 4U);
    EXPECT_TRUE(results.warnings.empty());
}

TEST(Receivers, TheSeriesOfEachHasItsOwnLosses) {
    const Results results = Multicast().analyzed();
    const auto& flows = results.runs.at(0).flows;
    ASSERT_EQ(flows[1].series.rows().size(), 2U);
    EXPECT_EQ(flows[0].series.rows()[0].lost, 0U);
    EXPECT_EQ(flows[0].series.rows()[1].lost, 1U);
    EXPECT_EQ(flows[1].series.rows()[0].lost, 1U);
    EXPECT_EQ(flows[1].series.rows()[1].lost, 1U);
    EXPECT_EQ(flows[1].series.rows()[0].sent_packets, 2U);
}

TEST(Receivers, TheTotalCountsWhatWasSentOnceAndWhatArrivedEverywhere) {
    const Results results = Multicast().analyzed();
    const TotalResult& total = results.runs.at(0).total;
    EXPECT_EQ(total.flows, 1U);
    EXPECT_EQ(total.sent->packets, 4U);
    EXPECT_EQ(total.due_packets, 8U);
    EXPECT_EQ(total.received->packets, 6U);
    EXPECT_EQ(total.loss.packets, 3U);
    EXPECT_EQ(total.sent->lateness_ns.count, 4U);
    EXPECT_EQ(total.received->delay_ns.count, 5U);
    std::uint64_t sent = 0;
    std::uint64_t lost = 0;
    for (const SeriesRow& row : total.series.rows()) {
        sent += row.sent_packets.value_or(0);
        lost += row.lost.value_or(0);
    }
    EXPECT_EQ(sent, 4U);
    EXPECT_EQ(lost, 3U);
}

TEST(Receivers, OnOneHostAreToldApartByTheirAddresses) {
    Multicast run;
    run.gamma.metadata.host = "beta";
    run.beta.metadata.flows.front().local_address = "10.0.0.2:5000";
    run.gamma.metadata.flows.front().local_address = "10.0.0.3:5000";
    const Results results = run.analyzed();
    EXPECT_EQ(results.runs.at(0).flows.at(0).receiver, "beta (10.0.0.2:5000)");
    EXPECT_EQ(results.runs.at(0).flows.at(1).receiver, "beta (10.0.0.3:5000)");
}

TEST(Receivers, AreNamedInEveryReport) {
    const Results results = Multicast().analyzed();
    EXPECT_THAT(text_report(results), HasSubstr("1 at gamma"));
    EXPECT_THAT(json_report(results), HasSubstr("\"receiver_host\": \"gamma\""));
    EXPECT_THAT(csv_report(results), HasSubstr(",gamma,"));
}

TEST(Receivers, OneIsNotNamedWhereThereIsNoOther) {
    const std::string text = text_report(small_pair().analyzed());
    EXPECT_THAT(text, ::testing::Not(HasSubstr("1 at beta")));
}

}  // namespace
}  // namespace groma
