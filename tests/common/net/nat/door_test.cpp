// Doors and those who knock at them, over loopback: what a receiver behind NAT and its sender do. SCTP and DCCP are
// tested with the programs, in a kernel that has them.
#include "common/net/nat/door.hpp"

#include <gtest/gtest.h>
#include <sys/socket.h>

#include "common/base/errors.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/nat/knocker.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/socket/socket_kind.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/common/net/over_every_transport.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;

const KnockToken kToken = token_from_hex("00112233445566778899aabbccddeeff");
const KnockToken kOtherToken = token_from_hex("00112233445566778899aabbccddeefe");

class DoorOver : public OverTransport {
protected:
    void SetUp() override {
        OverTransport::SetUp();
        if (IsSkipped()) {
            return;
        }
        door_ = open_door({.transport = transport(), .options = {}, .bind_to = at(host()), .token = kToken},
                          kernel_clock());
    }

    /// A receiver's inbox that dials the door.
    [[nodiscard]] std::unique_ptr<Inbox> dial() const {
        InboxSpec spec = inbox_spec(transport(), host());
        spec.dial = door_->local_address();
        return open_inbox(spec, kernel_clock());
    }
    [[nodiscard]] Knocker knocker(const Inbox& inbox, const KnockToken& token = kToken) const {
        return {inbox, transport(), door_->local_address(), token};
    }

    /// Knocks until the door has met the receiver.
    std::unique_ptr<Channel> meet(Knocker& knocker) {
        std::unique_ptr<Channel> channel;
        while (channel == nullptr) {
            knocker.knock();
            if (knocker.taken() > 0 and not wait_for(door_->fd(), POLLIN)) {
                return nullptr;
            }
            channel = door_->look();
        }
        return channel;
    }

    /// Looks until so many strangers have been turned away.
    void turn_away(std::uint64_t strangers) {
        while (door_->counts().strangers < strangers) {
            ASSERT_EQ(door_->look(), nullptr);
        }
    }

    std::unique_ptr<Door> door_;
};

INSTANTIATE_TEST_SUITE_P(Each, DoorOver,
                         testing::Combine(testing::Values(Transport::udp, Transport::tcp, Transport::udplite,
                                                          Transport::mptcp),
                                          testing::Values(kIpv4, kIpv6)),
                         name_of_way);

TEST_P(DoorOver, TheFlowGoesToWhoeverShowsTheToken) {
    const auto inbox = dial();
    Knocker knocker = this->knocker(*inbox);
    const auto channel = meet(knocker);
    ASSERT_NE(channel, nullptr);
    EXPECT_EQ(door_->peer(), inbox->local_address());
    EXPECT_EQ(channel->local_address(), door_->local_address());
    FrameMaker maker(transport());
    ASSERT_EQ(channel->send(maker.next(50, 100)).sent, 50U);
    EXPECT_EQ(receive(*inbox, 50).size(), 50U);
    EXPECT_EQ(inbox->counts().malformed + inbox->counts().foreign, 0U);
    EXPECT_EQ(door_->counts().strangers, 0U);
}

TEST_P(DoorOver, AStrangerWithoutTheTokenGetsNothing) {
    const auto stranger = dial();
    Knocker wrong = knocker(*stranger, kOtherToken);
    while (wrong.taken() == 0) {
        wrong.knock();
    }
    turn_away(1);
    const auto inbox = dial();
    Knocker right = knocker(*inbox);
    const auto channel = meet(right);
    ASSERT_NE(channel, nullptr);
    EXPECT_EQ(door_->peer(), inbox->local_address());
    FrameMaker maker(transport());
    ASSERT_EQ(channel->send(maker.next(10, 100)).sent, 10U);
    EXPECT_EQ(receive(*inbox, 10).size(), 10U);
    std::array<Arrival, 1> out{};
    EXPECT_EQ(stranger->drain(out), 0U);
}

TEST_P(DoorOver, TheTokenIsNotTakenFromAnotherHostThanTheCallers) {
    const SocketAddress elsewhere = SocketAddress::from_literal(host() == kIpv4 ? "127.0.0.66" : "2001:db8::66", 9);
    door_ = open_door(
        {.transport = transport(), .options = {}, .bind_to = at(host()), .token = kToken, .caller = elsewhere},
        kernel_clock());
    const auto inbox = dial();
    Knocker knocker = this->knocker(*inbox);
    while (knocker.taken() == 0) {
        knocker.knock();
    }
    while (door_->counts().elsewhere == 0) {
        ASSERT_EQ(door_->look(), nullptr);
    }
    EXPECT_EQ(door_->counts().strangers, 0U);
    EXPECT_FALSE(door_->peer().valid());
    EXPECT_EQ(door_->elsewhere(), inbox->local_address());
}

TEST_P(DoorOver, ThePortIsTheOneThatWasAskedFor) {
    const SocketAddress before = door_->local_address();
    door_.reset();
    door_ = open_door({.transport = transport(), .options = {}, .bind_to = before, .token = kToken}, kernel_clock());
    EXPECT_EQ(door_->local_address(), before);
}

TEST_P(DoorOver, NoOtherDoorGetsThePort) {
    const DoorSpec same{
        .transport = transport(), .options = {}, .bind_to = door_->local_address(), .token = kOtherToken};
    EXPECT_THROW((void)open_door(same, kernel_clock()), SystemError);
    const auto inbox = dial();
    Knocker knocker = this->knocker(*inbox);
    const auto channel = meet(knocker);
    ASSERT_NE(channel, nullptr);
    if (not traits(transport()).connects) {  // the door of a connection is closed now
        EXPECT_THROW((void)open_door(same, kernel_clock()), SystemError);
    }
}

class DatagramDoorOver : public DoorOver {};

INSTANTIATE_TEST_SUITE_P(Each, DatagramDoorOver,
                         testing::Combine(testing::Values(Transport::udp, Transport::udplite),
                                          testing::Values(kIpv4, kIpv6)),
                         name_of_way);

TEST_P(DatagramDoorOver, AReceiverIsFollowedToItsNewAddress) {
    const auto before = dial();
    Knocker first = knocker(*before);
    const auto channel = meet(first);
    ASSERT_NE(channel, nullptr);
    const auto after = dial();
    Knocker second = knocker(*after);
    second.knock();
    ASSERT_TRUE(wait_for(door_->fd(), POLLIN));
    EXPECT_EQ(door_->look(), nullptr);
    EXPECT_EQ(door_->peer(), after->local_address());
    EXPECT_EQ(door_->counts().moves, 1U);
    FrameMaker maker(transport());
    ASSERT_EQ(channel->send(maker.next(10, 100)).sent, 10U);
    EXPECT_EQ(receive(*after, 10).size(), 10U);
}

TEST(DatagramDoorOfACaller, IsNotMovedToAnotherHostByOneDatagramWithTheToken) {
    const auto door = open_door({.transport = Transport::udp,
                                 .options = {},
                                 .bind_to = at("127.0.0.1"),
                                 .token = kToken,
                                 .caller = at("127.0.0.11", 4711)},
                                kernel_clock());
    const auto knock_from = [&](const char* host) {
        InboxSpec spec = inbox_spec(Transport::udp, host);
        spec.dial = door->local_address();
        auto inbox = open_inbox(spec, kernel_clock());
        Knocker(*inbox, Transport::udp, door->local_address(), kToken).knock();
        return inbox;
    };
    const auto receiver = knock_from("127.0.0.11");
    ASSERT_TRUE(wait_for(door->fd(), POLLIN));
    const auto channel = door->look();
    ASSERT_NE(channel, nullptr);
    const auto victim = knock_from("127.0.0.66");
    ASSERT_TRUE(wait_for(door->fd(), POLLIN));
    EXPECT_EQ(door->look(), nullptr);
    EXPECT_EQ(door->counts().moves, 0U);
    EXPECT_EQ(door->counts().elsewhere, 1U);
    EXPECT_EQ(door->elsewhere(), victim->local_address());
    EXPECT_EQ(door->peer(), receiver->local_address());
}

TEST_P(DatagramDoorOver, NobodyIsFollowedWithoutTheToken) {
    const auto inbox = dial();
    Knocker first = knocker(*inbox);
    const auto channel = meet(first);
    ASSERT_NE(channel, nullptr);
    const auto stranger = dial();
    knocker(*stranger, kOtherToken).knock();
    turn_away(1);
    EXPECT_EQ(door_->peer(), inbox->local_address());
    EXPECT_EQ(door_->counts().moves, 0U);
}

TEST_P(DatagramDoorOver, KnocksOfTheReceiverItKnowsAreEaten) {
    const auto inbox = dial();
    Knocker knocker = this->knocker(*inbox);
    const auto channel = meet(knocker);
    ASSERT_NE(channel, nullptr);
    for (int i = 0; i < 2000; ++i) {
        knocker.knock();
    }
    std::array<std::byte, 64> bytes{};
    EXPECT_LT(::recv(channel->fd(), bytes.data(), bytes.size(), MSG_DONTWAIT), 0);
    EXPECT_EQ(door_->look(), nullptr);
    EXPECT_EQ(door_->counts().strangers + door_->counts().moves, 0U);
}

class ConnectionDoorOver : public DoorOver {};

INSTANTIATE_TEST_SUITE_P(Each, ConnectionDoorOver,
                         testing::Combine(testing::Values(Transport::tcp, Transport::mptcp),
                                          testing::Values(kIpv4, kIpv6)),
                         name_of_way);

TEST_P(ConnectionDoorOver, ACallerThatSaysNothingIsTurnedAwayAfterTheLimit) {
    ManualClock clock;
    door_ = open_door({.transport = transport(),
                       .options = {},
                       .bind_to = at(host()),
                       .token = kToken,
                       .token_limit = std::chrono::hours(1)},
                      clock);
    const auto silent = dial();
    ASSERT_TRUE(wait_for(door_->fd(), POLLIN));
    EXPECT_EQ(door_->look(), nullptr);
    clock.advance(std::chrono::hours(1));
    EXPECT_EQ(door_->look(), nullptr);
    EXPECT_EQ(door_->counts().strangers, 0U);
    clock.advance(Nanos{1});
    EXPECT_EQ(door_->look(), nullptr);
    EXPECT_EQ(door_->counts().strangers, 1U);
}

TEST_P(ConnectionDoorOver, ManySilentCallersDoNotKeepTheReceiverOut) {
    std::vector<std::unique_ptr<Inbox>> silent;
    for (int i = 0; i < 40; ++i) {  // more than the door keeps
        silent.push_back(dial());
        (void)door_->look();
    }
    const auto inbox = dial();
    Knocker knocker = this->knocker(*inbox);
    const auto channel = meet(knocker);
    ASSERT_NE(channel, nullptr);
    EXPECT_EQ(door_->peer(), inbox->local_address());
    EXPECT_EQ(door_->counts().strangers, 40U);
    EXPECT_LT(door_->fd(), 0);
}

}  // namespace
}  // namespace groma
