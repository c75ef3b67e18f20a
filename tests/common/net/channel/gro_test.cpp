#include "common/net/channel/gro.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <sys/socket.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "common/base/errors.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/socket/socket.hpp"
#include "common/net/udp/udp_inbox.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;
using testing::ElementsAre;
using testing::HasSubstr;

constexpr std::size_t kSize = 100;

/// Sends several packets as one message: the kernel splits it for receivers without GRO.
class SegmentedSender {
public:
    explicit SegmentedSender(const SocketAddress& to) : socket_(open_socket(to, SOCK_DGRAM)) {
        EXPECT_EQ(::connect(socket_.get(), to.data(), to.size()), 0);
        set_option(socket_, SOL_UDP, UDP_SEGMENT, static_cast<int>(kSize), "UDP_SEGMENT");
    }

    /// Packets with consecutive numbers, of kSize bytes except the last; a number in `spoiled` has no valid header.
    void send(std::size_t packets, std::size_t last_size = kSize, const std::set<std::uint32_t>& spoiled = {}) {
        std::vector<std::byte> bytes;
        for (std::size_t i = 0; i < packets; ++i, ++seq_) {
            const std::size_t size = i + 1 < packets ? kSize : last_size;
            const std::size_t at = bytes.size();
            bytes.resize(at + size);
            serialize({.seq = seq_, .sent_at = FrameMaker::sent_at(seq_), .flow = kFlow}, std::span(bytes).subspan(at),
                      header_size(size, HeaderLevel::full));
            if (spoiled.contains(seq_)) {
                bytes[at + 16] ^= std::byte{1};  // the magic
            }
        }
        EXPECT_EQ(::send(socket_.get(), bytes.data(), bytes.size(), 0), static_cast<ssize_t>(bytes.size()));
    }

private:
    FileDescriptor socket_;
    std::uint32_t seq_ = 0;
};

InboxSpec spec_with(GroMode mode, std::string_view host = kIpv4) {
    InboxSpec spec = inbox_spec(Transport::udp, host);
    spec.gro = mode;
    return spec;
}

std::vector<std::uint32_t> numbers(const std::vector<Arrival>& arrivals) {
    std::vector<std::uint32_t> seqs;
    std::ranges::transform(arrivals, std::back_inserter(seqs), [](const Arrival& one) { return *one.header.seq; });
    return seqs;
}

std::vector<std::uint32_t> numbers_up_to(std::uint32_t count) {
    std::vector<std::uint32_t> seqs(count);
    std::iota(seqs.begin(), seqs.end(), 0U);
    return seqs;
}

TEST(Gro, ModesAreReadByName) {
    EXPECT_EQ(parse_gro_mode("auto"), GroMode::automatic);
    EXPECT_EQ(parse_gro_mode("on"), GroMode::on);
    EXPECT_EQ(parse_gro_mode("off"), GroMode::off);
    EXPECT_THROW((void)parse_gro_mode("yes"), UsageError);
}

TEST(Gro, AReaderFallsBehindWhenItsBufferIsMoreThanHalfFullOrPacketsWereDropped) {
    const SocketMemory before{.used = 0, .limit = 1000, .drops = 7};
    EXPECT_EQ(falls_behind(before, {.used = 500, .limit = 1000, .drops = 7}), std::nullopt);
    EXPECT_EQ(falls_behind(before, {.used = 501, .limit = 1000, .drops = 7}), GroReason::half_full);
    EXPECT_EQ(falls_behind(before, {.used = 0, .limit = 1000, .drops = 8}), GroReason::drops);
    EXPECT_EQ(falls_behind({.drops = 0xffffffff}, {.limit = 1000, .drops = 0}), GroReason::drops) << "it wraps";
}

TEST(Gro, EveryReasonHasWordsOfItsOwn) {
    const std::set<std::string_view> words{in_words(GroReason::asked_for), in_words(GroReason::half_full),
                                           in_words(GroReason::drops)};
    EXPECT_EQ(words.size(), 3U);
}

class GroOver : public testing::TestWithParam<std::string_view> {};

INSTANTIATE_TEST_SUITE_P(Addresses, GroOver, testing::Values(kIpv4, kIpv6),
                         [](const auto& instance) { return instance.param == kIpv4 ? "IPv4" : "IPv6"; });

TEST_P(GroOver, EveryPacketOfAMessageComesWithItsOwnHeaderAndSizeAndTheTimeOfAll) {
    UdpInbox inbox(spec_with(GroMode::on, GetParam()), kernel_clock());
    SegmentedSender sender(inbox.local_address());
    sender.send(11, 50);
    const auto arrivals = receive(inbox, 11);
    ASSERT_EQ(numbers(arrivals), numbers_up_to(11));
    for (std::size_t i = 0; i < 11; ++i) {
        EXPECT_EQ(arrivals[i].size, i < 10 ? kSize : 50U);
        EXPECT_EQ(arrivals[i].header.sent_at, FrameMaker::sent_at(static_cast<std::uint32_t>(i)));
        EXPECT_EQ(arrivals[i].header.flow, kFlow);
        EXPECT_EQ(arrivals[i].received_at, arrivals[0].received_at);
    }
    EXPECT_EQ(inbox.counts().coalesced, 11U);
    EXPECT_EQ(inbox.counts().unstamped, 0U);
    ASSERT_TRUE(inbox.gro());
    EXPECT_EQ(inbox.gro()->why, GroReason::asked_for);
    EXPECT_EQ(inbox.timestamps(), "kernel software (GRO)");
    EXPECT_TRUE(inbox.remote_address().valid());
}

TEST(Gro, PacketsThatComeAloneAreTakenAloneAndWhole) {
    UdpInbox inbox(spec_with(GroMode::on), kernel_clock());
    const auto channel = open_channel({Transport::udp, {}, inbox.local_address(), kPlenty}, kernel_clock());
    FrameMaker maker(Transport::udp);
    std::uint32_t seq = 0;
    for (const std::size_t size : {1U, 4U, 20U, 1400U, 65507U}) {
        ASSERT_EQ(channel->send(maker.next(1, size)).sent, 1U) << size;
        const auto arrivals = receive(inbox, 1);
        ASSERT_EQ(arrivals.size(), 1U) << size;
        EXPECT_EQ(arrivals[0].size, size);
        EXPECT_EQ(arrivals[0].header.seq, size >= 4 ? std::optional(seq) : std::nullopt);
        ++seq;
    }
    EXPECT_EQ(inbox.counts().coalesced, 0U);
}

TEST(Gro, AMessageThatHoldsMoreThanThereIsRoomForIsHandedOutInOrderBitByBit) {
    for (const std::size_t room : {1U, 7U, 100U, 256U}) {
        UdpInbox inbox(spec_with(GroMode::on), kernel_clock());
        SegmentedSender sender(inbox.local_address());
        for (int i = 0; i < 20; ++i) {
            sender.send(60);
        }
        EXPECT_EQ(numbers(receive(inbox, 1200, room)), numbers_up_to(1200)) << room;
    }
}

TEST(Gro, WhatIsNoPacketOfTheFlowIsCountedAndTheOthersOfItsMessageAreTaken) {
    UdpInbox inbox(spec_with(GroMode::on), kernel_clock());
    SegmentedSender sender(inbox.local_address());
    sender.send(10, kSize, {0, 4, 9});
    EXPECT_THAT(numbers(receive(inbox, 7)), ElementsAre(1, 2, 3, 5, 6, 7, 8));
    EXPECT_EQ(inbox.counts().malformed, 3U);
    EXPECT_EQ(inbox.counts().coalesced, 7U);
}

TEST(Gro, OfAForeignMessageEveryPacketIsCounted) {
    InboxSpec spec = spec_with(GroMode::on);
    spec.expected_peer = at("127.0.0.2");
    UdpInbox inbox(spec, kernel_clock());
    SegmentedSender sender(inbox.local_address());
    sender.send(11, 1);
    EXPECT_EQ(drain_once(inbox), 0U);
    EXPECT_EQ(inbox.counts().foreign, 11U);
}

TEST(Gro, OffEveryPacketHasItsOwnTime) {
    UdpInbox inbox(spec_with(GroMode::off), kernel_clock());
    SegmentedSender sender(inbox.local_address());
    sender.send(10);
    EXPECT_EQ(numbers(receive(inbox, 10)), numbers_up_to(10));
    EXPECT_EQ(inbox.counts().coalesced, 0U);
    EXPECT_FALSE(inbox.gro());
    EXPECT_EQ(inbox.timestamps(), "kernel software");
}

void make_buffer(const Inbox& inbox, int bytes) {
    ASSERT_EQ(::setsockopt(inbox.fd(), SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes), 0);
}

TEST(GroAutomatic, StaysOffWhileTheReaderKeepsUp) {
    UdpInbox inbox(spec_with(GroMode::automatic), kernel_clock());
    SegmentedSender sender(inbox.local_address());
    for (int i = 0; i < 50; ++i) {
        sender.send(60);
        ASSERT_EQ(receive(inbox, 60, 256).size(), 60U);
    }
    EXPECT_FALSE(inbox.gro());
    EXPECT_EQ(inbox.counts().coalesced, 0U);
}

TEST(GroAutomatic, GoesOnWhenTheBufferOfAHeldReaderIsMoreThanHalfFull) {
    UdpInbox inbox(spec_with(GroMode::automatic), kernel_clock());
    make_buffer(inbox, 1 << 20);
    SegmentedSender sender(inbox.local_address());
    std::size_t sent = 0;
    for (auto memory = memory_of(inbox.fd()); memory and memory->used < memory->limit / 4 * 3;
         memory = memory_of(inbox.fd())) {
        sender.send(60);
        sent += 60;
    }
    ASSERT_GT(sent, 256U);
    const auto held = receive(inbox, sent, 256);
    EXPECT_EQ(numbers(held), numbers_up_to(static_cast<std::uint32_t>(sent))) << "which came before, one by one";
    ASSERT_TRUE(inbox.gro());
    EXPECT_EQ(inbox.gro()->why, GroReason::half_full);
    EXPECT_EQ(inbox.counts().kernel_drops, 0U);
    sender.send(60);
    EXPECT_EQ(receive(inbox, 60).size(), 60U);
    EXPECT_EQ(inbox.counts().coalesced, 60U);
}

TEST(GroAutomatic, GoesOnWhenTheKernelHasDroppedPackets) {
    UdpInbox inbox(spec_with(GroMode::automatic), kernel_clock());
    make_buffer(inbox, 1);  // the kernel raises it to its minimum
    SegmentedSender sender(inbox.local_address());
    sender.send(60);
    std::vector<Arrival> out(100);
    ASSERT_TRUE(wait_for(inbox.fd(), POLLIN));
    std::size_t arrived = inbox.drain(out);
    while (arrived + inbox.counts().kernel_drops < 60) {
        const std::size_t more = inbox.drain(out);
        ASSERT_TRUE(more > 0 or wait_for(inbox.fd(), POLLIN));
        arrived += more;
    }
    EXPECT_GT(inbox.counts().kernel_drops, 0U);
    ASSERT_TRUE(inbox.gro());
    EXPECT_EQ(inbox.gro()->why, GroReason::drops);
}

/// Flows that need the kernel's data for each packet.
std::vector<InboxSpec> flows_without_gro(GroMode mode) {
    InboxSpec round_trip = spec_with(mode);
    round_trip.meter = Meter::round_trip;
    InboxSpec header = spec_with(mode);
    header.options.arrival_header = true;
    InboxSpec hardware = spec_with(mode);
    hardware.options.arrival_stamps = StampSource::hardware;
    return {round_trip, header, hardware};
}

TEST(Gro, IsRefusedWithTheReasonForFlowsThatMeasureEachPacket) {
    for (const InboxSpec& spec : flows_without_gro(GroMode::on)) {
        UdpInbox inbox(spec, kernel_clock());
        EXPECT_FALSE(inbox.gro());
        EXPECT_THAT(inbox.warnings(), testing::Contains(HasSubstr("no GRO: ")));
        SegmentedSender sender(inbox.local_address());
        sender.send(10);
        EXPECT_EQ(receive(inbox, 10).size(), 10U);
        EXPECT_EQ(inbox.counts().coalesced, 0U);
    }
}

TEST(GroAutomatic, DoesNotGoOnForFlowsThatMeasureEachPacket) {
    for (const InboxSpec& spec : flows_without_gro(GroMode::automatic)) {
        UdpInbox inbox(spec, kernel_clock());
        make_buffer(inbox, 1);
        SegmentedSender sender(inbox.local_address());
        sender.send(60);
        std::vector<Arrival> out(100);
        ASSERT_TRUE(wait_for(inbox.fd(), POLLIN));
        EXPECT_GT(inbox.drain(out), 0U);
        EXPECT_GT(inbox.counts().kernel_drops, 0U);
        EXPECT_FALSE(inbox.gro());
        EXPECT_THAT(inbox.warnings(), testing::Not(testing::Contains(HasSubstr("GRO"))));
    }
}

TEST(Gro, DropsOfWholeMessagesAreStillLostPacketsThatTheirNumbersTell) {
    UdpInbox inbox(spec_with(GroMode::on), kernel_clock());
    make_buffer(inbox, 1);
    SegmentedSender sender(inbox.local_address());
    for (int i = 0; i < 20; ++i) {
        sender.send(60);
    }
    std::vector<Arrival> out(256);
    ASSERT_TRUE(wait_for(inbox.fd(), POLLIN));
    const std::size_t arrived = inbox.drain(out);
    EXPECT_LT(arrived, 1200U);
    EXPECT_GT(inbox.counts().kernel_drops, 0U);
}

}  // namespace
}  // namespace groma
