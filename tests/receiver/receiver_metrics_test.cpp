#include "receiver/receiver_metrics.hpp"

#include <gmock/gmock.h>

#include "tests/common/http/http_client.hpp"
#include "tests/metric_page.hpp"
#include "tests/receiver/receiver_fixture.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ReceiverMetrics, AreOnThePage) {
    expect_on_page("groma-recv", receiver_metrics(), GROMA_TEST_DATA);
}

TEST(ReceiverMetrics, AddUpWhatEndedRunsHadInTheirFlows) {
    ReceiverCounts counts;
    const ReceivedFlow flow{.flow = FlowId{1},
                            .packets = 100,
                            .duplicates = 3,
                            .reordered = 4,
                            .foreign = 5,
                            .malformed = 6,
                            .kernel_drops = 7,
                            .records_lost = 8,
                            .replies_lost = 9,
                            .state = "ok",
                            .forged = 10};
    counts.add({.flows = {flow, flow}, .log_error = "no room"});
    counts.add({.flows = {flow}, .log_error = ""});
    EXPECT_EQ(counts.flows.duplicates, 9U);
    EXPECT_EQ(counts.flows.forged, 30U);
    EXPECT_EQ(counts.failed_logs, 1U);
    Exposition exposition(ExpositionFormat::open_metrics);
    exposition.add(receiver_metrics(), {.counts = counts, .totals = {.packets = 300}, .turned_away = 11});
    EXPECT_THAT(exposition.take(), AllOf(HasSubstr("groma_receiver_packets_total 300\n"),
                                         HasSubstr("groma_receiver_reordered_packets_total 12\n"),
                                         HasSubstr("groma_receiver_foreign_packets_total 15\n"),
                                         HasSubstr("groma_receiver_malformed_packets_total 18\n"),
                                         HasSubstr("groma_receiver_dropped_packets_total 21\n"),
                                         HasSubstr("groma_receiver_unlogged_packets_total 24\n"),
                                         HasSubstr("groma_receiver_unsent_replies_total 27\n"),
                                         HasSubstr("groma_receiver_refused_sessions_total{cause=\"key\"} 11\n")));
}

class ScrapedReceiver : public ReceiverFixture {
protected:
    ScrapedReceiver() {
        options_.metrics = {SocketAddress::from_literal("127.0.0.1", 0)};
        options_.say = [this, say = options_.say](const std::string& line) {
            if (const SocketAddress place = metrics_place(line); place.port() > 0) {
                place_ = place;
            }
            say(line);
        };
    }

    [[nodiscard]] std::string scrape() const { return scraped(place_); }

private:
    SocketAddress place_;  ///< written before the server's thread starts
};

TEST_F(ScrapedReceiver, TellsOfItsSessions) {
    start();
    EXPECT_THAT(scrape(), AllOf(HasSubstr("{program=\"groma-recv\","), HasSubstr("groma_receiver_sessions_total 0\n"),
                                HasSubstr("groma_receiver_spool_max_bytes 4294967296\n")));
    TestSender sender(address());
    TestFlow udp(FlowId{1}, Transport::udp, begin(sender, {flow(1)}, "recv.glog").at(0));
    EXPECT_THAT(scrape(),
                AllOf(HasSubstr("groma_receiver_open_sessions 1\n"), HasSubstr("groma_receiver_open_flows 1\n"),
                      HasSubstr("groma_receiver_runs_total 1\n")));
    for (const std::uint32_t seq : {0U, 1U, 1U, 3U}) {
        ASSERT_TRUE(udp.send(seq));
    }
    (void)finish(sender, {{.flow = FlowId{1}, .packets = 4, .bytes = 4 * TestFlow::kSize}},
                 std::chrono::milliseconds(20));
    const std::string after = scrape();
    EXPECT_THAT(
        after,
        AllOf(HasSubstr("groma_receiver_open_flows 0\n"), HasSubstr("groma_receiver_packets_total 4\n"),
              HasSubstr("groma_receiver_payload_bytes_total " + std::to_string(4 * TestFlow::kSize) + "\n"),
              HasSubstr("groma_receiver_duplicate_packets_total 1\n"),
              HasSubstr("groma_receiver_lost_packets_total 1\n"), HasSubstr("groma_receiver_missing_packets 0\n"),
              HasSubstr("groma_receiver_one_way_delay_seconds_count 3\n"),
              HasSubstr("groma_receiver_failed_logs_total 0\n")));
    EXPECT_THAT(after, HasSubstr("groma_receiver_log_bytes_total " +
                                 std::to_string(std::filesystem::file_size(folder_.path() / "recv.glog")) + "\n"));
}

TEST_F(ScrapedReceiver, TellsWhyItRefused) {
    options_.max_sessions = 1;
    start();
    TestSender first(address());
    (void)first.ask(TestSender::hello());
    TestSender second(address());
    EXPECT_TRUE(std::holds_alternative<Refused>(second.ask(TestSender::hello())));
    EXPECT_TRUE(std::holds_alternative<Refused>(first.ask(Start{})));
    EXPECT_THAT(scrape(), AllOf(HasSubstr("groma_receiver_refused_sessions_total{cause=\"room\"} 1\n"),
                                HasSubstr("groma_receiver_refused_sessions_total{cause=\"request\"} 1\n"),
                                HasSubstr("groma_receiver_refused_sessions_total{cause=\"key\"} 0\n")));
}

}  // namespace
}  // namespace groma
