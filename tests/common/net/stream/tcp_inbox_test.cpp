#include "common/net/stream/tcp_inbox.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/sockios.h>
#include <poll.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <array>
#include <atomic>
#include <random>
#include <thread>
#include <vector>

#include "common/base/errors.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/socket/socket.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;

/// A client without frames, connected from `from`.
FileDescriptor connect_raw(const SocketAddress& to, std::string_view from = kIpv4) {
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    const SocketAddress source = at(from);
    EXPECT_EQ(::bind(socket.get(), source.data(), source.size()), 0);
    EXPECT_EQ(::connect(socket.get(), to.data(), to.size()), 0);
    return socket;
}

void write_raw(const FileDescriptor& socket, std::initializer_list<unsigned char> bytes) {
    EXPECT_EQ(::send(socket.get(), bytes.begin(), bytes.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes.size()));
}

class TcpInboxOver : public testing::TestWithParam<std::string_view> {};

INSTANTIATE_TEST_SUITE_P(Addresses, TcpInboxOver, testing::Values(kIpv4, kIpv6),
                         [](const auto& instance) { return instance.param == kIpv4 ? "IPv4" : "IPv6"; });

TEST_P(TcpInboxOver, FramesOfEverySizeComeWithWhatTheyCouldCarry) {
    TcpInbox inbox(inbox_spec(Transport::tcp, GetParam()), kernel_clock());
    const auto channel = open_channel({Transport::tcp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::tcp);
    std::uint32_t seq = 0;
    for (const std::size_t size : {1U, 3U, 4U, 5U, 12U, 13U, 20U, 21U, 1400U, 65507U}) {
        ASSERT_EQ(channel->send(maker.next(1, size)).sent, 1U) << size;
        const auto arrivals = receive(inbox, 1);
        ASSERT_EQ(arrivals.size(), 1U) << size;
        const PacketPrefix& header = arrivals[0].header;
        EXPECT_EQ(arrivals[0].size, size);
        EXPECT_EQ(header.seq, size >= 5 ? std::optional(seq) : std::nullopt) << size;
        EXPECT_EQ(header.sent_at, size >= 13 ? std::optional(FrameMaker::sent_at(seq)) : std::nullopt) << size;
        EXPECT_EQ(header.flow, size >= 21 ? std::optional(kFlow) : std::nullopt) << size;
        ++seq;
    }
}

TEST_P(TcpInboxOver, APacketArrivesWhenItIsReadByTheClockThatWasHandedOver) {
    ManualClock clock;
    TcpInbox inbox(inbox_spec(Transport::tcp, GetParam()), clock);
    const auto channel = open_channel({Transport::tcp, {}, inbox.local_address(), kPlenty}, clock);
    FrameMaker maker(Transport::tcp);
    for (int i = 0; i < 2; ++i) {
        clock.advance(std::chrono::hours(1));
        ASSERT_EQ(channel->send(maker.next(1, 100)).sent, 1U);
        const auto arrivals = receive(inbox, 1);
        ASSERT_EQ(arrivals.size(), 1U);
        EXPECT_EQ(arrivals[0].received_at, clock.wall_now());
    }
}

TEST_P(TcpInboxOver, ThousandsOfFramesComeInOrderAndThenTheEnd) {
    TcpInbox inbox(inbox_spec(Transport::tcp, GetParam()), kernel_clock());
    const auto channel = open_channel({Transport::tcp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::tcp);
    std::uint32_t expected = 0;
    for (std::size_t batch = 1; expected < 5000; batch = batch % 90 + 1) {
        ASSERT_EQ(channel->send(maker.next(batch, 64)).sent, batch);
        for (const Arrival& arrival : receive(inbox, batch)) {
            ASSERT_EQ(arrival.header.seq, expected++);
        }
    }
    EXPECT_EQ(inbox.state(), InboxState::open);
    ASSERT_TRUE(channel->finish(kPlenty));
    EXPECT_TRUE(receive_to_the_end(inbox).empty());
    EXPECT_EQ(inbox.state(), InboxState::ended);
    EXPECT_EQ(inbox.counts().malformed + inbox.counts().foreign, 0U);
}

/// Sends every frame, however slowly they are read.
void send_all(Channel& channel, std::span<const Frame> frames) {
    while (not frames.empty()) {
        frames = frames.subspan(channel.send(frames).sent);
        ASSERT_TRUE(wait_for(channel.fd(), POLLOUT));
    }
    ASSERT_TRUE(channel.finish(kPlenty));
}

/// Large frames, of which the kernel drops the filler, and small ones among them.
TEST_P(TcpInboxOver, LargeFramesAmongSmallOnesComeWholeAndInOrder) {
    constexpr std::size_t kFrames = 400;
    constexpr std::array<std::size_t, 7> kSizes = {kMaxStreamFrame, 64, 40'000, 32'790, 32'789, 1, 200'000};
    TcpInbox inbox(inbox_spec(Transport::tcp, GetParam()), kernel_clock());
    const auto channel = open_channel({Transport::tcp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::tcp);
    std::mt19937 random(20261122);
    std::vector<Frame> frames;
    for (std::size_t i = 0; i < kFrames; ++i) {
        frames.push_back(maker.next(kSizes[random() % kSizes.size()]));
    }
    std::thread sender([&] { send_all(*channel, frames); });
    const auto arrivals = receive_to_the_end(inbox);
    sender.join();

    ASSERT_EQ(arrivals.size(), frames.size());
    for (std::uint32_t seq = 0; seq < kFrames; ++seq) {
        EXPECT_EQ(arrivals[seq].size, frames[seq].size()) << seq;
        EXPECT_EQ(arrivals[seq].header.seq.value_or(seq), seq);
        EXPECT_EQ(arrivals[seq].header.seq.has_value(), frames[seq].size() > 1) << seq;
    }
    EXPECT_EQ(inbox.state(), InboxState::ended);
    EXPECT_EQ(inbox.counts().malformed, 0U);
}

TEST(TcpInbox, APeerThatSendsMalformedFramesAllTheTimeHoldsNobodyUp) {
    TcpInbox inbox(inbox_spec(Transport::tcp), kernel_clock());
    const auto channel = open_channel({Transport::tcp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    std::atomic<bool> enough = false;
    std::thread peer([&] {
        FrameMaker maker(Transport::tcp, FlowId{kFlow.value + 1});
        const std::vector<Frame> frames = maker.next(90, 21);
        while (not enough) {
            (void)channel->send(frames);
        }
    });
    std::array<Arrival, 16> arrivals;
    while (inbox.counts().malformed < 100'000) {
        EXPECT_EQ(inbox.drain(arrivals), 0U);
    }
    enough = true;
    peer.join();
}

TEST(TcpInbox, AStreamThatEndsWithinTheFillerOfALargeFrameIsABrokenFlow) {
    TcpInbox inbox(inbox_spec(Transport::tcp), kernel_clock());
    {
        const FileDescriptor socket = connect_raw(inbox.local_address());
        write_raw(socket, {0x80, 0x80, 0x04});  // 65,536 bytes are to come
        const std::vector<unsigned char> part(5000);
        EXPECT_EQ(::send(socket.get(), part.data(), part.size(), MSG_NOSIGNAL), 5000);
    }
    EXPECT_TRUE(receive_to_the_end(inbox).empty());
    EXPECT_EQ(inbox.state(), InboxState::broken);
}

/// Returns once the other kernel has all of it.
void deliver(const FileDescriptor& socket, std::size_t bytes) {
    const std::vector<unsigned char> filler(bytes);
    ASSERT_EQ(::send(socket.get(), filler.data(), filler.size(), MSG_NOSIGNAL), static_cast<ssize_t>(bytes));
    pollfd entry{socket.get(), 0, 0};
    for (int waiting = 1; waiting > 0;) {
        ASSERT_EQ(::ioctl(socket.get(), SIOCOUTQ, &waiting), 0);
        ASSERT_EQ(::poll(&entry, 1, 0), 0) << "the other side gave the connection up";
    }
}

TEST(TcpInbox, OfALargeFrameThePartsThatAreWorthAReadAreWaitedFor) {
    InboxSpec spec = inbox_spec(Transport::tcp);
    spec.options.receive_buffer = Bytes{200'000};
    TcpInbox inbox(spec, kernel_clock());
    const FileDescriptor socket = connect_raw(inbox.local_address());
    std::array<Arrival, 4> arrivals;
    const auto readable = [&] {
        pollfd entry{inbox.fd(), POLLIN, 0};
        return ::poll(&entry, 1, 0) == 1;
    };
    write_raw(socket, {0xC0, 0x9A, 0x0C});  // 200,000 bytes, of which these are the first
    deliver(socket, 60'000);
    while (readable()) {
        ASSERT_EQ(inbox.drain(arrivals), 0U);
    }
    const std::size_t awaited = buffer_size(inbox.fd(), SO_RCVBUF) / 8;  // of 400,000 bytes
    deliver(socket, awaited - 1000);
    EXPECT_FALSE(readable());
    deliver(socket, 1000);
    ASSERT_TRUE(readable());
    ASSERT_EQ(inbox.drain(arrivals), 0U);
    deliver(socket, 120'000 - awaited);
    ASSERT_TRUE(readable());
    ASSERT_EQ(inbox.drain(arrivals), 0U);
    EXPECT_FALSE(readable());
    deliver(socket, 19'997);  // few enough to be read as they come, the next frame's beginning with them
    ASSERT_TRUE(readable());
    EXPECT_EQ(inbox.drain(arrivals), 0U);
    EXPECT_EQ(inbox.counts().malformed, 1U);  // the frame is whole, and of no flow
    deliver(socket, 1);
    EXPECT_TRUE(readable());
}

TEST(TcpInbox, ACallerWithLittleRoomGetsEverythingByAndBy) {
    TcpInbox inbox(inbox_spec(Transport::tcp), kernel_clock());
    const auto channel = open_channel({Transport::tcp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::tcp);
    ASSERT_EQ(channel->send(maker.next(100, 50)).sent, 100U);
    ASSERT_TRUE(channel->finish(kPlenty));
    EXPECT_EQ(receive(inbox, SIZE_MAX, 3).size(), 100U);
    EXPECT_EQ(inbox.state(), InboxState::ended);
}

TEST(TcpInbox, TheDescriptorChangesFromTheListenerToTheConnection) {
    TcpInbox inbox(inbox_spec(Transport::tcp), kernel_clock());
    const SocketAddress address = inbox.local_address();
    const int listener = inbox.fd();
    const auto channel = open_channel({Transport::tcp, {}, address, kPlenty}, kernel_clock());
    EXPECT_EQ(drain_once(inbox), 0U);
    EXPECT_NE(inbox.fd(), listener);
    EXPECT_EQ(inbox.remote_address(), channel->local_address());
    EXPECT_EQ(inbox.local_address(), address);
    EXPECT_EQ(inbox.timestamps(), "user");
}

TEST(TcpInbox, OneConnectionIsTakenAndThenNoMore) {
    TcpInbox inbox(inbox_spec(Transport::tcp), kernel_clock());
    const auto first = open_channel({Transport::tcp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    EXPECT_EQ(drain_once(inbox), 0U);
    EXPECT_THROW((void)open_channel({Transport::tcp, {}, inbox.local_address(), kPlenty}, kernel_clock()), SystemError);
}

TEST(TcpInbox, AConnectionFromAnotherHostIsClosedAndTheRightOneTaken) {
    TcpInbox inbox(inbox_spec(Transport::tcp), kernel_clock());
    const FileDescriptor foreign = connect_raw(inbox.local_address(), "127.0.0.2");
    EXPECT_EQ(drain_once(inbox), 0U);
    EXPECT_EQ(inbox.counts().foreign, 1U);
    char byte = 0;
    EXPECT_EQ(::recv(foreign.get(), &byte, 1, 0), 0) << "the stranger sees the end";

    const auto channel = open_channel({Transport::tcp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::tcp);
    ASSERT_EQ(channel->send(maker.next(1, 64)).sent, 1U);
    EXPECT_EQ(receive(inbox, 1).size(), 1U);
}

TEST(TcpInbox, AResetIsABrokenFlow) {
    TcpInbox inbox(inbox_spec(Transport::tcp), kernel_clock());
    FileDescriptor client = connect_raw(inbox.local_address());
    write_raw(client, {1, 1});
    EXPECT_EQ(receive(inbox, 2).size(), 2U);
    const linger reset{.l_onoff = 1, .l_linger = 0};
    ASSERT_EQ(::setsockopt(client.get(), SOL_SOCKET, SO_LINGER, &reset, sizeof reset), 0);
    client.reset();
    EXPECT_TRUE(receive_to_the_end(inbox).empty());
    EXPECT_EQ(inbox.state(), InboxState::broken);
}

TEST(TcpInbox, AStreamThatEndsWithinAFrameIsABrokenFlow) {
    TcpInbox inbox(inbox_spec(Transport::tcp), kernel_clock());
    FileDescriptor client = connect_raw(inbox.local_address());
    write_raw(client, {1, 5, 0});
    client.reset();
    EXPECT_EQ(receive_to_the_end(inbox).size(), 1U);
    EXPECT_EQ(inbox.state(), InboxState::broken);
}

TEST(TcpInbox, AStreamThatIsNoFramesIsHungUpOn) {
    TcpInbox inbox(inbox_spec(Transport::tcp), kernel_clock());
    const FileDescriptor client = connect_raw(inbox.local_address());
    write_raw(client, {1, 1, 0, 1, 1});
    EXPECT_EQ(receive_to_the_end(inbox).size(), 2U) << "what came before is kept";
    EXPECT_EQ(inbox.state(), InboxState::broken);
    EXPECT_EQ(inbox.counts().malformed, 1U);
    char byte = 0;
    EXPECT_LE(::recv(client.get(), &byte, 1, 0), 0) << "the peer sees the end";
}

TEST(TcpInbox, FramesOfAnotherFlowAreCountedAndNotTaken) {
    TcpInbox inbox(inbox_spec(Transport::tcp), kernel_clock());
    const auto channel = open_channel({Transport::tcp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker foreign(Transport::tcp, FlowId{8});
    FrameMaker ours(Transport::tcp);
    ASSERT_EQ(channel->send(foreign.next(1, 64)).sent, 1U);
    ASSERT_EQ(channel->send(ours.next(1, 64)).sent, 1U);
    EXPECT_EQ(receive(inbox, 1).size(), 1U);
    EXPECT_EQ(inbox.counts().malformed, 1U);
}

TEST(TcpInbox, APortInUseIsAnErrorThatNamesThePort) {
    const TcpInbox first(inbox_spec(Transport::tcp), kernel_clock());
    InboxSpec spec = inbox_spec(Transport::tcp);
    spec.bind_to = first.local_address();
    try {
        const TcpInbox second(spec, kernel_clock());
        FAIL() << "two flows on one port";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), EADDRINUSE);
        EXPECT_THAT(error.what(), testing::HasSubstr("bind " + first.local_address().to_string()));
    }
}

}  // namespace
}  // namespace groma
