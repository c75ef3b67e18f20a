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

/// Flows 7, 9 and 8 at one socket of UDP.
class SharedSocket : public ::testing::Test {
protected:
    SharedSocket() {
        auto inbox = std::make_unique<FakeInbox>();
        inbox_ = inbox.get();
        flows_.push_back(std::make_unique<FlowReceiver>(spec(7), std::move(inbox)));
        flows_.push_back(std::make_unique<FlowReceiver>(spec(9), *flows_[0]));
        flows_.push_back(std::make_unique<FlowReceiver>(spec(8), *flows_[0]));
    }

    static FlowSpec spec(std::uint32_t id) {
        FlowSpec spec;
        spec.id = FlowId{id};
        spec.options.association = 1;
        return spec;
    }

    static Arrival of(std::uint32_t flow, std::uint32_t seq) {
        Arrival arrival = numbered(seq);
        arrival.header.flow = FlowId{flow};
        return arrival;
    }

    void receive(const std::vector<Arrival>& arrivals) {
        inbox_->put(arrivals);
        while (flows_[0]->receive(scratch_) > 0) {
        }
    }

    [[nodiscard]] std::vector<std::uint64_t> packets() const {
        std::vector<std::uint64_t> packets;
        packets.reserve(flows_.size());
        for (const auto& flow : flows_) {
            packets.push_back(flow->result().packets);
        }
        return packets;
    }

    FakeInbox* inbox_ = nullptr;
    std::vector<std::unique_ptr<FlowReceiver>> flows_;
    std::array<Arrival, 4> scratch_{};
};

TEST_F(SharedSocket, GivesEachFlowThePacketsThatSaySo) {
    receive({of(7, 0), of(8, 0), of(9, 0), of(9, 1), of(8, 1), of(9, 2)});
    EXPECT_EQ(packets(), (std::vector<std::uint64_t>{1, 3, 2}));
    EXPECT_EQ(flows_[1]->counts().missing, 0U);
}

TEST_F(SharedSocket, FindsFlowsWhoseNumbersHaveHolesBetweenThem) {
    flows_.push_back(std::make_unique<FlowReceiver>(spec(4'000'000'000), *flows_[0]));
    flows_.push_back(std::make_unique<FlowReceiver>(spec(2), *flows_[0]));
    receive({of(2, 0), of(4'000'000'000, 0), of(4'000'000'000, 1), of(8, 0), of(7, 0), of(7, 1)});
    EXPECT_EQ(packets(), (std::vector<std::uint64_t>{2, 0, 1, 2, 1}));
}

TEST_F(SharedSocket, CountsAPacketOfNoFlowAsMalformed) {
    receive({of(1, 0), of(10, 0), of(0, 0)});
    EXPECT_EQ(packets(), (std::vector<std::uint64_t>{0, 0, 0}));
    EXPECT_EQ(flows_[0]->result().malformed, 3U);
}

}  // namespace
}  // namespace groma
