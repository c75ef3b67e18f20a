// The worker and its thread over loopback: real sockets, independent of durations.
#include "sender/engine/reply_worker.hpp"

#include <gtest/gtest.h>
#include <poll.h>

#include <array>

#include "common/net/channel/channel.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/wire/stream_frame.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

/// A flow that is reflected by the test's own thread.
struct Reflected {
    explicit Reflected(std::uint32_t id, Transport transport) : flow{id}, kind(transport) {
        sent.reach(0xFFFFFFFF, wall_time_from_ns(0));
        InboxSpec spec;
        spec.flow = flow;
        spec.transport = transport;
        spec.meter = Meter::round_trip;
        spec.bind_to = SocketAddress::from_literal("127.0.0.1", 0);
        spec.expected_peer = spec.bind_to;
        inbox = open_inbox(spec, kernel_clock());
        channel = open_channel({transport, {}, inbox->local_address(), kPatience}, kernel_clock());
    }

    [[nodiscard]] std::unique_ptr<FlowReplies> replies(std::uint32_t place) const {
        return std::make_unique<FlowReplies>(place, channel->open_replies({flow, HeaderLevel::full}, kernel_clock()),
                                             sent, nullptr);
    }

    void send_and_reflect(std::uint32_t packets) {
        static constexpr std::array<std::byte, 100> kFiller{};
        for (std::uint32_t seq = 0; seq < packets; ++seq) {
            Frame frame;
            frame.header_bytes = static_cast<std::uint8_t>(header_bytes_for(kind, 100, HeaderLevel::full));
            frame.rest = std::span(kFiller).first(100 - frame.header_bytes);
            serialize({.seq = seq, .sent_at = wall_time_from_ns(1), .flow = flow}, frame.header, frame.header_bytes);
            ASSERT_EQ(channel->send(std::span(&frame, 1)).sent, 1U);
        }
        std::array<Arrival, 64> some{};
        for (std::size_t done = 0; done < packets;) {
            const std::size_t got = inbox->drain(some);
            ASSERT_EQ(inbox->reflect(std::span(some).first(got)).lost, 0U);
            done += got;
            pollfd entry{.fd = inbox->fd(), .events = POLLIN, .revents = 0};
            ASSERT_TRUE(got > 0 or ::poll(&entry, 1, 60'000) == 1);
        }
    }

    FlowId flow;
    SentRange sent;
    Transport kind;
    std::unique_ptr<Inbox> inbox;
    std::unique_ptr<Channel> channel;
};

void wait_for(const FlowReplies& flow, std::uint64_t replies) {
    while (flow.returned() < replies) {
        std::this_thread::yield();
    }
}

TEST(ReplyWorker, TakesInWhatComesBackOfEveryFlowAndQueuesARecordOfEach) {
    constexpr std::uint32_t kPackets = 300;
    Reflected udp(1, Transport::udp);
    Reflected tcp(2, Transport::tcp);
    ReplyQueue queue(1024);
    const auto of_tcp = tcp.replies(4);
    const auto of_udp = udp.replies(2);
    ReplyWorker worker(std::array{of_tcp.get(), of_udp.get()}, &queue);
    worker.start();
    udp.send_and_reflect(kPackets);
    tcp.send_and_reflect(kPackets);
    wait_for(*of_udp, kPackets);
    wait_for(*of_tcp, kPackets);
    worker.stop();
    EXPECT_EQ(of_udp->result().returned, kPackets);
    EXPECT_EQ(of_tcp->result().rtt_less_residence_ns.count(), kPackets);
    EXPECT_EQ(of_tcp->result().records_lost, 0U);

    std::vector<QueuedReply> records(2 * kPackets + 1);
    records.resize(queue.pop(records));
    ASSERT_EQ(records.size(), 2 * kPackets);
    std::array<std::uint64_t, 5> next{};
    for (const QueuedReply& queued : records) {
        EXPECT_EQ(queued.record.seq, next.at(queued.flow)++) << "flow " << queued.flow;
    }
}

TEST(ReplyWorker, ARecordThatFindsNoRoomIsCountedAndItsReplyAllTheSame) {
    Reflected udp(1, Transport::udp);
    ReplyQueue queue(2);
    const auto replies = udp.replies(0);
    ReplyWorker worker(std::array{replies.get()}, &queue);
    worker.start();
    udp.send_and_reflect(10);
    wait_for(*replies, 10);
    worker.stop();
    EXPECT_EQ(replies->result().returned, 10U);
    EXPECT_EQ(replies->result().records_lost, 8U);
}

TEST(ReplyWorker, TakesInAtItsEndWhatHasArrived) {
    Reflected udp(1, Transport::udp);
    const auto replies = udp.replies(0);
    ReplyWorker worker(std::array{replies.get()}, nullptr);
    udp.send_and_reflect(100);
    worker.start();
    worker.stop();
    EXPECT_EQ(replies->result().returned, 100U);
}

TEST(ReplyWorker, AConnectionThatEndsIsNoLongerWaitedFor) {
    Reflected tcp(1, Transport::tcp);
    const auto replies = tcp.replies(0);
    ReplyWorker worker(std::array{replies.get()}, nullptr);
    worker.start();
    tcp.send_and_reflect(5);
    tcp.inbox.reset();
    wait_for(*replies, 5);
    worker.stop();
    EXPECT_EQ(replies->result().returned, 5U);
}

}  // namespace
}  // namespace groma
