// Flow listeners and punchers, over loopback: a receiver behind NAT and its sender. SCTP and DCCP are tested with the
// programs, in a kernel that has them.
#include "common/net/nat/flow_listener.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "common/base/errors.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/nat/puncher.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/common/net/over_every_transport.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;

const PunchToken kToken = token_from_hex("00112233445566778899aabbccddeeff");
const PunchToken kOtherToken = token_from_hex("00112233445566778899aabbccddeefe");

class ListenerOver : public OverTransport {
protected:
    void SetUp() override {
        OverTransport::SetUp();
        if (IsSkipped()) {
            return;
        }
        listener_ = open_flow_listener(
            {.transport = transport(), .options = {}, .bind_to = at(host()), .token = kToken}, kernel_clock());
    }

    /// A receiver's inbox that dials the listener.
    [[nodiscard]] std::unique_ptr<Inbox> dial() const {
        InboxSpec spec = inbox_spec(transport(), host());
        spec.dial = listener_->local_address();
        return open_inbox(spec, kernel_clock());
    }
    [[nodiscard]] Puncher puncher(const Inbox& inbox, const PunchToken& token = kToken) const {
        return {inbox, transport(), listener_->local_address(), token};
    }

    /// Punches until the listener has met the receiver.
    std::unique_ptr<Channel> meet(Puncher& puncher) {
        std::unique_ptr<Channel> channel;
        while (channel == nullptr) {
            puncher.punch();
            if (puncher.taken() > 0 and not wait_for(listener_->fd(), POLLIN)) {
                return nullptr;
            }
            channel = listener_->poll();
        }
        return channel;
    }

    /// Polls until this number of strangers has been refused.
    void turn_away(std::uint64_t strangers) {
        while (listener_->counts().strangers < strangers) {
            ASSERT_EQ(listener_->poll(), nullptr);
        }
    }

    std::unique_ptr<FlowListener> listener_;
};

INSTANTIATE_TEST_SUITE_P(Each, ListenerOver,
                         testing::Combine(testing::Values(Transport::udp, Transport::tcp, Transport::udplite,
                                                          Transport::mptcp),
                                          testing::Values(kIpv4, kIpv6)),
                         name_of_way);

TEST_P(ListenerOver, TheFlowGoesToWhoeverShowsTheToken) {
    const auto inbox = dial();
    Puncher puncher = this->puncher(*inbox);
    const auto channel = meet(puncher);
    ASSERT_NE(channel, nullptr);
    EXPECT_EQ(listener_->peer(), inbox->local_address());
    EXPECT_EQ(channel->local_address(), listener_->local_address());
    FrameMaker maker(transport());
    ASSERT_EQ(channel->send(maker.next(50, 100)).sent, 50U);
    EXPECT_EQ(receive(*inbox, 50).size(), 50U);
    EXPECT_EQ(inbox->counts().malformed + inbox->counts().foreign, 0U);
    EXPECT_EQ(listener_->counts().strangers, 0U);
}

TEST_P(ListenerOver, AStrangerWithoutTheTokenGetsNothing) {
    const auto stranger = dial();
    Puncher wrong = puncher(*stranger, kOtherToken);
    while (wrong.taken() == 0) {
        wrong.punch();
    }
    turn_away(1);
    const auto inbox = dial();
    Puncher right = puncher(*inbox);
    const auto channel = meet(right);
    ASSERT_NE(channel, nullptr);
    EXPECT_EQ(listener_->peer(), inbox->local_address());
    FrameMaker maker(transport());
    ASSERT_EQ(channel->send(maker.next(10, 100)).sent, 10U);
    EXPECT_EQ(receive(*inbox, 10).size(), 10U);
    std::array<Arrival, 1> out{};
    EXPECT_EQ(stranger->drain(out), 0U);
}

TEST_P(ListenerOver, TheTokenIsNotTakenFromAnotherHostThanTheCallers) {
    const SocketAddress elsewhere = SocketAddress::from_literal(host() == kIpv4 ? "127.0.0.66" : "2001:db8::66", 9);
    listener_ = open_flow_listener(
        {.transport = transport(), .options = {}, .bind_to = at(host()), .token = kToken, .caller = elsewhere},
        kernel_clock());
    const auto inbox = dial();
    Puncher puncher = this->puncher(*inbox);
    while (puncher.taken() == 0) {
        puncher.punch();
    }
    while (listener_->counts().elsewhere == 0) {
        ASSERT_EQ(listener_->poll(), nullptr);
    }
    EXPECT_EQ(listener_->counts().strangers, 0U);
    EXPECT_FALSE(listener_->peer().valid());
    EXPECT_EQ(listener_->elsewhere(), inbox->local_address());
}

TEST_P(ListenerOver, ThePortIsTheOneThatWasAskedFor) {
    const SocketAddress before = listener_->local_address();
    listener_.reset();
    listener_ = open_flow_listener({.transport = transport(), .options = {}, .bind_to = before, .token = kToken},
                                   kernel_clock());
    EXPECT_EQ(listener_->local_address(), before);
}

TEST_P(ListenerOver, NoOtherListenerGetsThePort) {
    const FlowListenerSpec same{
        .transport = transport(), .options = {}, .bind_to = listener_->local_address(), .token = kOtherToken};
    EXPECT_THROW((void)open_flow_listener(same, kernel_clock()), SystemError);
    const auto inbox = dial();
    Puncher puncher = this->puncher(*inbox);
    const auto channel = meet(puncher);
    ASSERT_NE(channel, nullptr);
    if (not traits(transport()).connects) {  // the listener of a connection is closed now
        EXPECT_THROW((void)open_flow_listener(same, kernel_clock()), SystemError);
    }
}

class DatagramListenerOver : public ListenerOver {};

INSTANTIATE_TEST_SUITE_P(Each, DatagramListenerOver,
                         testing::Combine(testing::Values(Transport::udp, Transport::udplite),
                                          testing::Values(kIpv4, kIpv6)),
                         name_of_way);

TEST_P(DatagramListenerOver, AReceiverIsFollowedToItsNewAddress) {
    const auto before = dial();
    Puncher first = puncher(*before);
    const auto channel = meet(first);
    ASSERT_NE(channel, nullptr);
    const auto after = dial();
    Puncher second = puncher(*after);
    second.punch();
    ASSERT_TRUE(wait_for(listener_->fd(), POLLIN));
    EXPECT_EQ(listener_->poll(), nullptr);
    EXPECT_EQ(listener_->peer(), after->local_address());
    EXPECT_EQ(listener_->counts().moves, 1U);
    FrameMaker maker(transport());
    ASSERT_EQ(channel->send(maker.next(10, 100)).sent, 10U);
    EXPECT_EQ(receive(*after, 10).size(), 10U);
}

TEST(DatagramListenerOfACaller, IsNotMovedToAnotherHostByOneDatagramWithTheToken) {
    const auto listener = open_flow_listener({.transport = Transport::udp,
                                              .options = {},
                                              .bind_to = at("127.0.0.1"),
                                              .token = kToken,
                                              .caller = at("127.0.0.11", 4711)},
                                             kernel_clock());
    const auto punch_from = [&](const char* host) {
        InboxSpec spec = inbox_spec(Transport::udp, host);
        spec.dial = listener->local_address();
        auto inbox = open_inbox(spec, kernel_clock());
        Puncher(*inbox, Transport::udp, listener->local_address(), kToken).punch();
        return inbox;
    };
    const auto receiver = punch_from("127.0.0.11");
    ASSERT_TRUE(wait_for(listener->fd(), POLLIN));
    const auto channel = listener->poll();
    ASSERT_NE(channel, nullptr);
    const auto victim = punch_from("127.0.0.66");
    ASSERT_TRUE(wait_for(listener->fd(), POLLIN));
    EXPECT_EQ(listener->poll(), nullptr);
    EXPECT_EQ(listener->counts().moves, 0U);
    EXPECT_EQ(listener->counts().elsewhere, 1U);
    EXPECT_EQ(listener->elsewhere(), victim->local_address());
    EXPECT_EQ(listener->peer(), receiver->local_address());
}

TEST_P(DatagramListenerOver, NobodyIsFollowedWithoutTheToken) {
    const auto inbox = dial();
    Puncher first = puncher(*inbox);
    const auto channel = meet(first);
    ASSERT_NE(channel, nullptr);
    const auto stranger = dial();
    puncher(*stranger, kOtherToken).punch();
    turn_away(1);
    EXPECT_EQ(listener_->peer(), inbox->local_address());
    EXPECT_EQ(listener_->counts().moves, 0U);
}

TEST_P(DatagramListenerOver, PunchesOfTheReceiverItKnowsAreEaten) {
    const auto inbox = dial();
    Puncher puncher = this->puncher(*inbox);
    const auto channel = meet(puncher);
    ASSERT_NE(channel, nullptr);
    for (int i = 0; i < 2000; ++i) {
        puncher.punch();
    }
    std::array<std::byte, 64> bytes{};
    EXPECT_LT(::recv(channel->fd(), bytes.data(), bytes.size(), MSG_DONTWAIT), 0);
    EXPECT_EQ(listener_->poll(), nullptr);
    EXPECT_EQ(listener_->counts().strangers + listener_->counts().moves, 0U);
}

class ConnectionListenerOver : public ListenerOver {};

INSTANTIATE_TEST_SUITE_P(Each, ConnectionListenerOver,
                         testing::Combine(testing::Values(Transport::tcp, Transport::mptcp),
                                          testing::Values(kIpv4, kIpv6)),
                         name_of_way);

TEST_P(ConnectionListenerOver, ACallerThatSaysNothingIsTurnedAwayAfterTheLimit) {
    ManualClock clock;
    listener_ = open_flow_listener({.transport = transport(),
                                    .options = {},
                                    .bind_to = at(host()),
                                    .token = kToken,
                                    .token_limit = std::chrono::hours(1)},
                                   clock);
    const auto silent = dial();
    ASSERT_TRUE(wait_for(listener_->fd(), POLLIN));
    EXPECT_EQ(listener_->poll(), nullptr);
    clock.advance(std::chrono::hours(1));
    EXPECT_EQ(listener_->poll(), nullptr);
    EXPECT_EQ(listener_->counts().strangers, 0U);
    clock.advance(Nanos{1});
    EXPECT_EQ(listener_->poll(), nullptr);
    EXPECT_EQ(listener_->counts().strangers, 1U);
}

TEST_P(ConnectionListenerOver, ManySilentCallersDoNotKeepTheReceiverOut) {
    std::vector<std::unique_ptr<Inbox>> silent;
    for (int i = 0; i < 40; ++i) {  // more than the listener keeps
        silent.push_back(dial());
        (void)listener_->poll();
    }
    const auto inbox = dial();
    Puncher puncher = this->puncher(*inbox);
    const auto channel = meet(puncher);
    ASSERT_NE(channel, nullptr);
    EXPECT_EQ(listener_->peer(), inbox->local_address());
    EXPECT_EQ(listener_->counts().strangers, 40U);
    EXPECT_LT(listener_->fd(), 0);
}

}  // namespace
}  // namespace groma
