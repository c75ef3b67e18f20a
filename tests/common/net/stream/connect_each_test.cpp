// A connection for some requests each, over real sockets: what one end does, the other counts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <array>
#include <vector>

#include "common/net/flow_sockets.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/stream/connect_each_inbox.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

InboxSpec each_spec() {
    InboxSpec spec = inbox_spec(Transport::tcp);
    spec.meter = Meter::round_trip;
    spec.connect_each = true;
    return spec;
}

std::unique_ptr<Channel> channel_to(const SocketAddress& to, double requests) {
    return open_channel(
        {.transport = Transport::tcp, .options = {}, .to = to, .requests_per_connection = Constant{requests}},
        kernel_clock());
}

/// A sender with its replies, and the receiver; or whoever listens at `to`.
struct Pair {
    explicit Pair(double requests) : channel(channel_to(inbox.local_address(), requests)) {}

    /// The receiver takes a packet and answers it with so many bytes.
    void answer(std::size_t size = 100) {
        std::vector<Arrival> arrivals = receive(inbox, 1);
        ASSERT_EQ(arrivals.size(), 1U);
        arrivals.front().size = static_cast<std::uint32_t>(size);
        (void)inbox.reflect(arrivals);
    }

    /// As the sender's loop: goes on with what is held, until a response has come.
    std::size_t await() {
        std::array<Arrival, 8> out{};
        for (std::size_t count = 0; channel->fd() >= 0;) {
            count = replies->drain(out);
            if (count > 0) {
                return count;
            }
            if (channel->fd() >= 0 and not wait_for(channel->fd(), channel->holding() ? POLLIN | POLLOUT : POLLIN)) {
                break;
            }
        }
        return 0;
    }

    ConnectEachInbox inbox{each_spec(), kernel_clock()};
    std::unique_ptr<Channel> channel;
    std::unique_ptr<Inbox> replies = channel->open_replies({.flow = kFlow}, kernel_clock());
    FrameMaker frames{Transport::tcp};
};

TEST(ConnectEach, EachRequestHasAConnectionOfItsOwn) {
    Pair pair(1);
    EXPECT_LT(pair.channel->fd(), 0) << "nothing is connected before the first request";
    for (std::uint64_t i = 1; i <= 50; ++i) {
        ASSERT_EQ(pair.channel->send(pair.frames.next(1, 100)).sent, 1U);
        pair.answer();
        ASSERT_EQ(pair.await(), 1U);
        EXPECT_LT(pair.channel->fd(), 0) << "the response has come: the connection is closed";
        EXPECT_EQ(pair.channel->connections().made, i);
        EXPECT_GT(pair.channel->connections().last_took, Nanos{0});
    }
    EXPECT_EQ(pair.channel->connections().failed, 0U);
    EXPECT_FALSE(pair.channel->connections().connecting);
    EXPECT_THAT(pair.channel->warnings(), IsEmpty());
    EXPECT_EQ(pair.inbox.counts().malformed, 0U);
}

TEST(ConnectEach, AConnectionTakesAsManyRequestsAsWereAskedFor) {
    Pair pair(3);
    for (int i = 0; i < 7; ++i) {
        ASSERT_EQ(pair.channel->send(pair.frames.next(1, 100)).sent, 1U);
        pair.answer(200'000);
        while (pair.inbox.holding() and wait_for(pair.inbox.fd(), POLLIN)) {
            (void)pair.inbox.reflect({});
            std::array<Arrival, 1> out{};
            (void)pair.replies->drain(std::span(out).first(0));
        }
        ASSERT_EQ(pair.await(), 1U);
    }
    EXPECT_EQ(pair.channel->connections().made, 3U);
}

TEST(ConnectEach, ARefusedConnectionIsCountedAndNamed) {
    const SocketAddress nobody = ConnectEachInbox(each_spec(), kernel_clock()).local_address();
    const auto channel = channel_to(nobody, 1);
    const auto replies = channel->open_replies({.flow = kFlow}, kernel_clock());
    FrameMaker frames(Transport::tcp);
    std::array<Arrival, 8> out{};
    for (std::uint64_t i = 1; i <= 3; ++i) {
        ASSERT_EQ(channel->send(frames.next(1, 100)).sent, 1U);
        while (channel->connections().failed < i and wait_for(channel->fd(), POLLOUT)) {
            ASSERT_EQ(replies->drain(out), 0U);
        }
        EXPECT_FALSE(channel->holding());
    }
    EXPECT_EQ(channel->connections().made, 0U);
    EXPECT_THAT(channel->warnings(), ElementsAre(HasSubstr("3 connections to 127.0.0.1")));
    EXPECT_THAT(channel->warnings().front(), HasSubstr("Connection refused"));
}

TEST(ConnectEach, AConnectionThatIsClosedBeforeTheResponseFails) {
    for (const bool resets : {false, true}) {
        const InboxSpec spec = inbox_spec(Transport::tcp);
        FileDescriptor listener = open_socket(spec.bind_to, SOCK_STREAM);
        ASSERT_EQ(::bind(listener.get(), spec.bind_to.data(), spec.bind_to.size()), 0);
        ASSERT_EQ(::listen(listener.get(), 8), 0);
        const auto channel = channel_to(local_address_of(listener.get()), 1);
        const auto replies = channel->open_replies({.flow = kFlow}, kernel_clock());
        FrameMaker frames(Transport::tcp);
        ASSERT_EQ(channel->send(frames.next(1, 100)).sent, 1U);
        ASSERT_TRUE(wait_for(listener.get(), POLLIN));
        FileDescriptor peer(::accept4(listener.get(), nullptr, nullptr, SOCK_CLOEXEC));
        std::array<std::byte, 200> request{};
        if (not resets) {  // what is unread makes it a reset
            ASSERT_EQ(::recv(peer.get(), request.data(), request.size(), 0), 100);
        }
        peer.reset();
        std::array<Arrival, 8> out{};
        while (channel->connections().failed == 0 and wait_for(channel->fd(), POLLIN)) {
            ASSERT_EQ(replies->drain(out), 0U);
        }
        EXPECT_EQ(channel->connections().failed, 1U);
        EXPECT_EQ(replies->state(), InboxState::open) << "the next request has a connection of its own";
    }
}

TEST(ConnectEach, AResponseBehindWhichTheConnectionIsClosedCounts) {
    Pair pair(5);
    ASSERT_EQ(pair.channel->send(pair.frames.next(1, 100)).sent, 1U);
    pair.answer();
    ASSERT_EQ(pair.await(), 1U);
    EXPECT_GE(pair.channel->fd(), 0);
    // Eviction is how this receiver closes: strangers to the flow take all places.
    std::vector<FileDescriptor> others;
    for (std::size_t i = 0; i < ConnectEachInbox::kMostConnections; ++i) {
        others.push_back(open_socket(pair.inbox.local_address(), SOCK_STREAM));
        const SocketAddress to = pair.inbox.local_address();
        (void)::connect(others.back().get(), to.data(), to.size());
        ASSERT_TRUE(wait_for(others.back().get(), POLLOUT));
        std::array<Arrival, 8> out{};
        (void)pair.inbox.drain(out);
    }
    EXPECT_EQ(pair.channel->send(pair.frames.next(1, 100)).sent, 1U) << "it was proven, and so is kept";
    pair.answer();
    EXPECT_EQ(pair.await(), 1U);
    EXPECT_EQ(pair.channel->connections().made, 1U);
    EXPECT_EQ(pair.channel->connections().failed, 0U);
}

TEST(ConnectEach, ARequestThatIsGivenUpGivesUpItsConnection) {
    Pair pair(10);
    ASSERT_EQ(pair.channel->send(pair.frames.next(1, 100)).sent, 1U);
    ASSERT_EQ(receive(pair.inbox, 1).size(), 1U);
    ASSERT_EQ(pair.channel->send(pair.frames.next(1, 100)).sent, 1U);
    pair.answer();
    ASSERT_EQ(pair.await(), 1U);
    EXPECT_EQ(pair.channel->connections().made, 2U);
    EXPECT_EQ(pair.channel->connections().failed, 0U) << "it did not fail: its time was over";
}

TEST(ConnectEach, SilentHalfAndGarbledConnectionsHoldNobodyUp) {
    Pair pair(1);
    std::vector<FileDescriptor> hostile;
    const SocketAddress to = pair.inbox.local_address();
    constexpr std::array<std::vector<unsigned char> (*)(), 3> kBytes{
        [] { return std::vector<unsigned char>{}; },
        [] {
            return std::vector<unsigned char>{100, 'G', 'r'};
        },
        [] { return std::vector<unsigned char>(64, 0xFF); }};
    for (std::size_t i = 0; i < 60; ++i) {
        FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
        ASSERT_EQ(::connect(socket.get(), to.data(), to.size()), 0);
        const auto bytes = kBytes[i % kBytes.size()]();
        ASSERT_EQ(::send(socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL), std::ssize(bytes));
        hostile.push_back(std::move(socket));
        EXPECT_EQ(drain_once(pair.inbox), 0U);
        if (i % 6 == 0) {
            ASSERT_EQ(pair.channel->send(pair.frames.next(1, 100)).sent, 1U);
            pair.answer();
            ASSERT_EQ(pair.await(), 1U);
        }
    }
    EXPECT_EQ(pair.channel->connections().made, 10U);
    EXPECT_EQ(pair.channel->connections().failed, 0U);
    EXPECT_GT(pair.inbox.counts().malformed, 0U);
}

TEST(ConnectEach, StrangersAreCountedAndClosed) {
    Pair pair(1);
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const SocketAddress from = at("127.0.0.9");
    const SocketAddress to = pair.inbox.local_address();
    ASSERT_EQ(::bind(socket.get(), from.data(), from.size()), 0);
    ASSERT_EQ(::connect(socket.get(), to.data(), to.size()), 0);
    EXPECT_EQ(drain_once(pair.inbox), 0U);
    EXPECT_EQ(pair.inbox.counts().foreign, 1U);
    EXPECT_TRUE(wait_for(socket.get(), POLLIN)) << "it is closed";
    EXPECT_FALSE(pair.inbox.remote_address().valid());
}

}  // namespace
}  // namespace groma
