// Flows that share an association: FlowReceivers with one inbox.
#include <gmock/gmock.h>

#include "receiver/flow_receiver.hpp"
#include "tests/receiver/fake_inbox.hpp"

namespace groma {
namespace {

/// Flow 1 has stream 0, flow 2 the streams 1 and 2.
class SharedAssociation : public ::testing::Test {
protected:
    SharedAssociation() {
        auto inbox = std::make_unique<FakeInbox>();
        inbox_ = inbox.get();
        first_ = std::make_unique<FlowReceiver>(spec(1, 1), std::move(inbox));
        second_ = std::make_unique<FlowReceiver>(spec(2, 2), *first_);
    }

    static FlowSpec spec(std::uint32_t id, std::uint32_t streams) {
        FlowSpec spec;
        spec.id = FlowId{id};
        spec.transport = Transport::sctp;
        spec.options.association = 1;
        spec.options.streams = streams;
        return spec;
    }

    static Arrival on(std::uint16_t stream, std::uint32_t flow, std::uint32_t seq) {
        Arrival arrival = numbered(seq);
        arrival.header.flow = FlowId{flow};
        arrival.stream = stream;
        return arrival;
    }

    void receive(const std::vector<Arrival>& arrivals) {
        inbox_->put(arrivals);
        while (first_->receive(scratch_) > 0) {
        }
    }

    FakeInbox* inbox_ = nullptr;
    std::unique_ptr<FlowReceiver> first_;
    std::unique_ptr<FlowReceiver> second_;
    std::array<Arrival, 4> scratch_{};
};

TEST_F(SharedAssociation, GivesEachFlowWhatComesOnItsStreams) {
    receive({on(0, 1, 0), on(1, 2, 0), on(2, 2, 1), on(1, 2, 2), on(0, 1, 1)});
    EXPECT_EQ(first_->counts().packets, 2U);
    EXPECT_EQ(second_->counts().packets, 3U);
    EXPECT_EQ(second_->counts().missing, 0U);
}

TEST_F(SharedAssociation, CountsAPacketOnAnotherFlowsStreamAsMalformed) {
    receive({on(1, 1, 0), on(2, 2, 0)});
    EXPECT_EQ(first_->result().packets, 0U);
    EXPECT_EQ(second_->result().packets, 1U);
    EXPECT_EQ(second_->result().malformed, 1U);
}

TEST_F(SharedAssociation, CountsAPacketOnAStreamOfNobodyAsMalformed) {
    receive({on(3, 1, 0), on(65535, 2, 0)});
    EXPECT_EQ(first_->result().malformed, 2U);
    EXPECT_EQ(first_->result().packets + second_->result().packets, 0U);
}

TEST_F(SharedAssociation, TellsEveryFlowWhenItIsOver) {
    receive({on(0, 1, 0)});
    EXPECT_TRUE(second_->counts().open);
    inbox_->end(InboxState::broken);
    (void)first_->receive(scratch_);
    EXPECT_FALSE(first_->counts().open);
    EXPECT_FALSE(second_->counts().open);
    EXPECT_NE(second_->result().state, "ok");
}

TEST_F(SharedAssociation, ReportsWhatTheInboxCountedOnce) {
    inbox_->counts_.foreign = 3;
    EXPECT_EQ(first_->result().foreign, 3U);
    EXPECT_EQ(second_->result().foreign, 0U);
}

TEST_F(SharedAssociation, LogsTheFlowsIntoOneQueue) {
    ArrivalQueue queue(8);
    first_->log_to(queue);
    receive({on(0, 1, 0), on(2, 2, 0)});
    std::array<LoggedArrival, 4> logged{};
    ASSERT_EQ(queue.pop(logged), 2U);
    EXPECT_EQ(logged[0].flow, FlowId{1});
    EXPECT_EQ(logged[1].flow, FlowId{2});
}

}  // namespace
}  // namespace groma
