#include "receiver/flow_receiver.hpp"

#include <gmock/gmock.h>

#include "tests/receiver/fake_inbox.hpp"

namespace groma {
namespace {

class FlowReceiverTest : public ::testing::Test {
protected:
    FlowReceiverTest() {
        FlowSpec spec;
        spec.id = FlowId{1};
        receive_for(spec);
    }

    void receive_for(const FlowSpec& spec) {
        auto inbox = std::make_unique<FakeInbox>();
        inbox_ = inbox.get();
        flow_ = std::make_unique<FlowReceiver>(spec, std::move(inbox));
    }

    void receive(const std::vector<Arrival>& arrivals) {
        inbox_->put(arrivals);
        while (flow_->receive(scratch_) > 0) {
        }
    }

    FakeInbox* inbox_ = nullptr;
    std::unique_ptr<FlowReceiver> flow_;
    std::array<Arrival, 4> scratch_{};
};

TEST_F(FlowReceiverTest, CountsPacketsBytesAndWhatIsMissing) {
    receive({numbered(0), numbered(1), numbered(4)});
    EXPECT_EQ(flow_->counts().packets, 3U);
    EXPECT_EQ(flow_->counts().bytes, 300U);
    EXPECT_EQ(flow_->counts().unique, 3U);
    EXPECT_EQ(flow_->counts().missing, 2U);
}

TEST_F(FlowReceiverTest, DoesNotTakeADuplicateForAPacketThatWasAwaited) {
    receive({numbered(0), numbered(0), numbered(0)});
    EXPECT_EQ(flow_->counts().packets, 3U);
    EXPECT_EQ(flow_->counts().unique, 1U);
    EXPECT_EQ(flow_->result().duplicates, 2U);
}

TEST_F(FlowReceiverTest, CountsPacketsThatAreTooSmallForANumberByThemselves) {
    receive({unnumbered(), numbered(0), unnumbered()});
    EXPECT_EQ(flow_->counts().unique, 3U);
    EXPECT_EQ(flow_->counts().missing, 0U);
    EXPECT_EQ(flow_->result().duplicates, 0U);
}

TEST_F(FlowReceiverTest, GoesOnCountingWhenSequenceNumbersWrap) {
    receive({numbered(0), numbered(0x7fff'ffff), numbered(0xffff'ffff), numbered(0)});
    EXPECT_EQ(flow_->result().duplicates, 0U);
    EXPECT_EQ(flow_->result().reordered, 0U);
}

TEST_F(FlowReceiverTest, PutsARecordOfEachPacketInTheQueue) {
    ArrivalQueue queue(8);
    flow_->log_to(queue);
    receive({numbered(7), unnumbered()});
    std::array<LoggedArrival, 8> records{};
    ASSERT_EQ(queue.pop(records), 2U);
    EXPECT_EQ(records[0].flow, FlowId{1});
    EXPECT_EQ(
        records[0].record,
        (ReceivedRecord{
            .seq = 7, .sent_at = wall_time_from_ns(1'007), .received_at = wall_time_from_ns(2'007), .size = 100}));
    EXPECT_EQ(records[1].record.seq, ReceivedRecord::kNoSeq);
    EXPECT_EQ(records[1].record.sent_at, ReceivedRecord::kNoTime);
}

TEST_F(FlowReceiverTest, LogsTheHeaderThatAnArrivalHad) {
    ArrivalQueue queue(8);
    flow_->log_to(queue);
    Arrival arrival = numbered(7);
    arrival.ttl = 62;
    arrival.ds_byte = 0xb8;
    receive({arrival});
    std::array<LoggedArrival, 8> records{};
    ASSERT_EQ(queue.pop(records), 1U);
    EXPECT_EQ(records[0].record.ttl, 62U);
    EXPECT_EQ(records[0].record.ds_byte, 0xb8U);
}

TEST_F(FlowReceiverTest, CountsOnWhenTheQueueIsFull) {
    ArrivalQueue queue(1);
    flow_->log_to(queue);
    receive({numbered(0), numbered(1), numbered(2)});
    EXPECT_EQ(flow_->counts().packets, 3U);
}

TEST_F(FlowReceiverTest, KnowsTheEarliestAndTheLatestArrivalOfAll) {
    EXPECT_EQ(flow_->result().first_arrival, WallTime{});
    ArrivalQueue queue(1);
    flow_->log_to(queue);
    std::vector<Arrival> arrivals{numbered(0), numbered(1), numbered(2), numbered(3)};
    for (const auto& [place, at] :
         std::vector<std::pair<std::size_t, std::int64_t>>{{0, 50}, {1, 40}, {2, 90}, {3, 60}}) {
        arrivals[place].received_at = wall_time_from_ns(at);
    }
    receive(arrivals);
    EXPECT_EQ(flow_->result().first_arrival, wall_time_from_ns(40));
    EXPECT_EQ(flow_->result().last_arrival, wall_time_from_ns(90));
}

TEST_F(FlowReceiverTest, TellsTheDelaysOfFirstCopiesThatCarryTheirDeparture) {
    receive({unnumbered()});
    EXPECT_EQ(flow_->result().delays, std::nullopt);
    std::vector<Arrival> arrivals{numbered(0), numbered(1), numbered(1), numbered(2)};
    arrivals[2].received_at = wall_time_from_ns(90'000);
    arrivals[3].received_at += Nanos{30};
    receive(arrivals);
    ASSERT_TRUE(flow_->result().delays);
    EXPECT_EQ(flow_->result().delays->packets, 3U);
    EXPECT_EQ(flow_->result().delays->min, Nanos{1'000});
    EXPECT_EQ(flow_->result().delays->max, Nanos{30});
}

TEST_F(FlowReceiverTest, TellsNoDelaysOfOneOfVeryManyFlows) {
    flow_->skip_delays();
    receive({numbered(0)});
    EXPECT_EQ(flow_->result().delays, std::nullopt);
}

TEST_F(FlowReceiverTest, TellsNoDelaysByTheClockOfAnInterface) {
    inbox_->timestamps_ = "hardware";
    receive({numbered(0)});
    EXPECT_EQ(flow_->result().delays, std::nullopt);
    EXPECT_EQ(flow_->result().first_arrival, wall_time_from_ns(2'000));
}

TEST_F(FlowReceiverTest, ReportsWhatTheInboxCounted) {
    inbox_->counts_ = {.foreign = 1, .malformed = 2, .kernel_drops = 3, .unstamped = 4};
    const ReceivedFlow result = flow_->result();
    EXPECT_EQ(result.foreign, 1U);
    EXPECT_EQ(result.malformed, 2U);
    EXPECT_EQ(result.kernel_drops, 3U);
    EXPECT_EQ(result.unstamped, 4U);
    EXPECT_EQ(result.state, "ok");
}

TEST_F(FlowReceiverTest, ReportsSinceWhenItsInboxCoalescesPackets) {
    EXPECT_EQ(flow_->result().coalescing, std::nullopt);
    inbox_->gro_ = GroStart{.since = wall_time_from_ns(5), .why = GroReason::drops};
    inbox_->counts_.coalesced = 9;
    EXPECT_EQ(flow_->result().coalescing,
              (Coalescing{.packets = 9, .since = wall_time_from_ns(5), .why = GroReason::drops}));
}

TEST_F(FlowReceiverTest, SaysThatItsConnectionBroke) {
    inbox_->end(InboxState::broken);
    receive({});
    EXPECT_FALSE(flow_->counts().open);
    EXPECT_THAT(flow_->result().state, ::testing::HasSubstr("broke"));
}

TEST_F(FlowReceiverTest, RepliesAreAsLargeAsTheirPacketsUnlessResponsesHaveSizes) {
    FlowSpec spec;
    spec.id = FlowId{1};
    spec.meter = Meter::round_trip;
    receive_for(spec);
    receive({numbered(0), unnumbered()});
    EXPECT_EQ(inbox_->reply_sizes_, (std::vector<std::uint32_t>{100, 3}));
    spec.response = Constant{5000};
    receive_for(spec);
    receive({numbered(0), numbered(1)});
    EXPECT_EQ(inbox_->reply_sizes_, (std::vector<std::uint32_t>{5000, 5000}));
    EXPECT_EQ(flow_->counts().bytes, 200U) << "what came in is counted, not what went out";
}

TEST_F(FlowReceiverTest, SizesOfResponsesAreDrawnWithinWhatTheTransportTakes) {
    FlowSpec spec;
    spec.id = FlowId{1};
    spec.meter = Meter::round_trip;
    spec.response = Exponential{50'000};
    receive_for(spec);
    receive(std::vector<Arrival>(1000, numbered(0)));
    const auto [least, most] = std::ranges::minmax(inbox_->reply_sizes_);
    EXPECT_GE(least, 20U);
    EXPECT_EQ(most, 65507U) << "a fourth of the draws is larger";
    const std::vector<std::uint32_t> once = inbox_->reply_sizes_;
    receive_for(spec);
    receive(std::vector<Arrival>(1000, numbered(0)));
    EXPECT_EQ(inbox_->reply_sizes_, once) << "the same seed";
}

}  // namespace
}  // namespace groma
