#include "receiver/receive_worker.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

#include "tests/receiver/fake_inbox.hpp"

namespace groma {
namespace {

using Descriptor = FakeInbox::Descriptor;

std::vector<Arrival> packets(std::uint32_t count) {
    std::vector<Arrival> arrivals;
    for (std::uint32_t seq = 0; seq < count; ++seq) {
        arrivals.push_back(numbered(seq));
    }
    return arrivals;
}

struct TestedFlow {
    explicit TestedFlow(Descriptor descriptor = Descriptor::shows_rest) {
        auto made = std::make_unique<FakeInbox>(descriptor);
        inbox = made.get();
        flow = std::make_unique<FlowReceiver>(FlowSpec{}, std::move(made));
    }

    void wait_for(std::uint64_t count) const {
        while (flow->counts().packets < count) {
            std::this_thread::yield();
        }
    }

    FakeInbox* inbox = nullptr;
    std::unique_ptr<FlowReceiver> flow;
};

TEST(ReceiveWorker, TakesInWhatArrivesWhileItHasTheFlow) {
    TestedFlow one;
    ReceiveWorker worker("test");
    FlowReceiver* const flows[] = {one.flow.get()};
    worker.add(flows);
    one.inbox->put(packets(3));
    one.wait_for(3);
    one.inbox->put(packets(2));
    one.wait_for(5);
    worker.remove(flows);
}

TEST(ReceiveWorker, TakesInWhatHadArrivedBeforeTheFlowLeaves) {
    TestedFlow one;
    ReceiveWorker worker("test");
    FlowReceiver* const flows[] = {one.flow.get()};
    worker.add(flows);
    one.inbox->put(packets(10'000));
    worker.remove(flows);
    EXPECT_EQ(one.flow->result().packets, 10'000U);
}

TEST(ReceiveWorker, LeavesAFlowAloneThatItDoesNotHave) {
    TestedFlow one;
    TestedFlow other;
    ReceiveWorker worker("test");
    FlowReceiver* const both[] = {one.flow.get(), other.flow.get()};
    worker.add(both);
    worker.remove(std::span(both).first(1));
    one.inbox->put(packets(1));
    other.inbox->put(packets(1));
    other.wait_for(1);
    worker.remove(std::span(both).last(1));
    EXPECT_EQ(one.flow->result().packets, 0U);
}

TEST(ReceiveWorker, GoesOnWithWhatAnInboxHoldsInMemoryOfItsOwn) {
    TestedFlow one(Descriptor::hides_rest);
    ReceiveWorker worker("test");
    FlowReceiver* const flows[] = {one.flow.get()};
    worker.add(flows);
    one.inbox->put(packets(100'000));
    one.wait_for(100'000);
    worker.remove(flows);
}

TEST(ReceiveWorker, ServesOthersWhileOneFlowHasAlwaysMore) {
    TestedFlow greedy;
    TestedFlow modest;
    ReceiveWorker worker("test");
    FlowReceiver* const flows[] = {greedy.flow.get(), modest.flow.get()};
    greedy.inbox->put(packets(200'000));
    modest.inbox->put(packets(1));
    worker.add(flows);
    modest.wait_for(1);
    greedy.wait_for(200'000);
    worker.remove(flows);
}

TEST(ReceiveWorker, LetsAFlowRestWhoseConnectionCannotBeHad) {
    TestedFlow refused;
    TestedFlow other;
    refused.inbox->refuse(true);
    refused.inbox->put(packets(2));
    ReceiveWorker worker("test");
    FlowReceiver* const flows[] = {refused.flow.get(), other.flow.get()};
    worker.add(flows);
    constexpr std::uint64_t kTurns = 20'000;
    for (std::uint64_t turn = 1; turn <= kTurns; ++turn) {
        other.inbox->put(packets(1));
        other.wait_for(turn);
    }
    EXPECT_LT(refused.inbox->looks(), kTurns / 10);
    refused.inbox->refuse(false);
    refused.wait_for(2);
    worker.remove(flows);
}

TEST(ReceiveWorker, TakesTheLastPacketsOfAStreamThatEnded) {
    TestedFlow one;
    ReceiveWorker worker("test");
    FlowReceiver* const flows[] = {one.flow.get()};
    one.inbox->put(packets(1'000));
    one.inbox->end(InboxState::ended);
    worker.add(flows);
    one.wait_for(1'000);
    worker.remove(flows);
    EXPECT_FALSE(one.flow->counts().open);
}

}  // namespace
}  // namespace groma
