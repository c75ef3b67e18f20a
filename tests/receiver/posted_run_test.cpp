#include "receiver/posted_run.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/time/manual_clock.hpp"
#include "tests/common/page/board_samples.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/receiver/test_sender.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

/// A run of flows from loopback, on a board.
class PostedRunTest : public testing::Test {
protected:
    PostedRunTest() { workers_.push_back(std::make_unique<ReceiveWorker>("worker")); }

    void begin(const std::vector<HeaderLevel>& headers) {
        const SocketAddress loopback = SocketAddress::from_literal("127.0.0.1", 0);
        run_.emplace(DataPlace{.bind_to = loopback, .peer = loopback}, workers_, kernel_clock());
        std::vector<FlowSpec> flows;
        for (const HeaderLevel header : headers) {
            FlowSpec& flow = flows.emplace_back();
            flow.id = FlowId{static_cast<std::uint32_t>(flows.size())};
            flow.header = header;
        }
        const auto opened = run_->open(flows);
        for (const OpenedFlow& flow : std::get<FlowsOpened>(opened).flows) {
            ports_.push_back(loopback.with_port(flow.port));
        }
        run_->start(nullptr, 0);
        posted_.emplace(board_, sample_run(headers.size()), *run_, clock_);
    }

    /// Over loopback all have arrived when this returns.
    void send(std::uint32_t flow, std::uint32_t packets) {
        TestFlow sending(FlowId{flow}, Transport::udp, ports_.at(flow - 1));
        for (std::uint32_t seq = 0; seq < packets; ++seq) {
            ASSERT_TRUE(sending.send(seq));
        }
    }

    /// Returns: what the board has of it.
    BoardDetail end(const std::vector<SentFlow>& sent) {
        run_->stop();
        posted_->end("complete", run_->results(), run_->losses(sent));
        return *board_.detail(1);
    }

    RunBoard board_;
    ManualClock clock_;
    ReceiveWorkers workers_;
    std::optional<ReceivingRun> run_;
    std::optional<PostedRun> posted_;
    std::vector<SocketAddress> ports_;
};

TEST_F(PostedRunTest, SaysWhatWasLostOfEachFlowAndOfAll) {
    begin({HeaderLevel::full, HeaderLevel::full});
    send(1, 9);
    send(2, 5);
    const BoardDetail run = end(
        {{.flow = FlowId{1}, .packets = 10}, {.flow = FlowId{2}, .packets = 5}, {.flow = FlowId{7}, .packets = 99}});
    EXPECT_EQ(run.flows.at(0).lost, 1U);
    EXPECT_EQ(run.flows.at(1).lost, 0U);
    EXPECT_EQ(run.entry.so_far.lost, 1U) << "the run has no flow 7";
    EXPECT_EQ(run.entry.so_far.missing_packets, 0U);
    EXPECT_EQ(run.entry.end->network, "lossy");
    EXPECT_EQ(run.entry.end->network_text, "lost 1 of 15 (6.7 %)");
}

TEST_F(PostedRunTest, KnowsNoNumberOfLostPacketsWithoutNumbers) {
    begin({HeaderLevel::none, HeaderLevel::full});
    send(1, 9);
    send(2, 5);
    const BoardDetail run = end({{.flow = FlowId{1}, .packets = 10}, {.flow = FlowId{2}, .packets = 5}});
    EXPECT_EQ(run.flows.at(0).received_packets, 9U);
    EXPECT_EQ(run.flows.at(0).missing_packets, std::nullopt);
    EXPECT_EQ(run.flows.at(0).lost, std::nullopt);
    EXPECT_EQ(run.flows.at(1).lost, 0U);
    EXPECT_EQ(run.entry.so_far.missing_packets, std::nullopt);
    EXPECT_EQ(run.entry.so_far.lost, std::nullopt);
    EXPECT_EQ(run.entry.end->network_text, "lost at least 1 of 15 (6.7 %)");
}

TEST_F(PostedRunTest, ClaimsNotThatAllArrivedWhereCopiesMayHideLosses) {
    begin({HeaderLevel::none});
    send(1, 5);
    const BoardDetail run = end({{.flow = FlowId{1}, .packets = 5}});
    EXPECT_EQ(run.entry.end->network, "unknown");
    EXPECT_THAT(run.entry.end->network_text, testing::StartsWith("no loss is known"));
}

TEST_F(PostedRunTest, KnowsNothingOfANetworkThatNothingWasSentOver) {
    begin({HeaderLevel::full});
    const BoardDetail run = end({{.flow = FlowId{1}, .packets = 0}});
    EXPECT_EQ(run.entry.so_far.lost, 0U);
    EXPECT_EQ(run.entry.end->network, "unknown");
    EXPECT_EQ(run.entry.end->network_text, "unknown, because nothing was sent");
}

TEST_F(PostedRunTest, SaysThatAllArrived) {
    begin({HeaderLevel::full});
    send(1, 3);
    EXPECT_EQ(end({{.flow = FlowId{1}, .packets = 3}}).entry.end->network_text, "all arrived");
}

TEST_F(PostedRunTest, SaysThatNothingArrived) {
    begin({HeaderLevel::full});
    const BoardDetail run = end({{.flow = FlowId{1}, .packets = 3}});
    EXPECT_EQ(run.entry.so_far.lost, 3U);
    EXPECT_EQ(run.entry.end->network_text, "NOTHING ARRIVED");
}

TEST_F(PostedRunTest, SaysNothingOfTheNetworkWhenTheSenderToldNothing) {
    begin({HeaderLevel::full});
    send(1, 3);
    const BoardDetail run = end({});
    EXPECT_EQ(run.entry.so_far.lost, std::nullopt);
    EXPECT_EQ(run.entry.end->network, "");
}

TEST_F(PostedRunTest, HasRatesOverTheTimeInWhichFlowsSent) {
    begin({HeaderLevel::full});
    send(1, 50);
    run_->stop();
    clock_.advance(1s);
    posted_->flows_ended();
    clock_.advance(4s);
    posted_->post_row();
    const BoardDetail run = end({{.flow = FlowId{1}, .packets = 50}});
    EXPECT_EQ(run.entry.rows, 2U) << "up to the end of the flows, and the last";
    EXPECT_EQ(run.entry.so_far.packet_rate_pps(), 50.0);
    EXPECT_EQ(run.entry.so_far.length, 1s);
}

}  // namespace
}  // namespace groma
