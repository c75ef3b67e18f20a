#include "common/net/stamps/kernel_departure.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>

#include <cerrno>
#include <cstring>

#include "common/base/errors.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/net/stamps/timed_batch.hpp"
#include "common/net/udp/udp_channel.hpp"
#include "tests/common/net/loopback.hpp"
#include "tests/common/net/refused_flow.hpp"
#include "tests/kernel_clock.hpp"

namespace groma {
namespace {

using namespace loopback;
using testing::HasSubstr;

ChannelSpec to(const SocketAddress& address, Nanos lead) {
    ChannelSpec spec{Transport::udp, {}, address, kPlenty};
    spec.options.departure_lead = lead;
    return spec;
}

TEST(KernelDeparture, IsRefusedWhereNoQueueHoldsPackets) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
    try {
        UdpChannel channel(to(inbox->local_address(), std::chrono::milliseconds(2)));
        // A host whose administrator gave lo such a queue.
        EXPECT_THAT(channel.held_departures().value().queue, HasSubstr("on lo"));
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("tc qdisc replace dev lo root fq"));
    }
}

TEST(KernelDeparture, OfTheProgramItselfTakesNoQueue) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
    UdpChannel channel(to(inbox->local_address(), Nanos{0}));
    EXPECT_FALSE(channel.held_departures());
}

TEST(TimedBatch, EachPacketHasItsTimeWhichASocketMustHaveBeenToldOf) {
    const auto inbox = open_inbox(inbox_spec(Transport::udp), kernel_clock());
    UdpChannel channel({Transport::udp, {}, inbox->local_address(), kPlenty});
    FrameMaker maker(Transport::udp);
    const std::vector<Frame> frames = {maker.next(100), maker.next(1400), maker.next(30)};
    const std::vector<std::uint64_t> times = {1, 2, 3};
    TimedBatch batch;
    EXPECT_EQ(batch.send(channel.fd(), frames, times), 0U);
    EXPECT_EQ(errno, EINVAL) << "the kernel has found a time beside the packet";
    const sock_txtime settings{.clockid = CLOCK_MONOTONIC, .flags = SOF_TXTIME_REPORT_ERRORS};
    ASSERT_EQ(::setsockopt(channel.fd(), SOL_SOCKET, SO_TXTIME, &settings, sizeof settings), 0);
    EXPECT_EQ(batch.send(channel.fd(), frames, times), 3U);
    const std::vector<Arrival> arrivals = receive(*inbox, 3);
    for (std::uint32_t i = 0; i < 3; ++i) {
        EXPECT_EQ(arrivals[i].header.seq, i);
        EXPECT_EQ(arrivals[i].size, frames[i].size());
    }
}

struct Report {
    alignas(cmsghdr) std::array<std::byte, CMSG_SPACE(sizeof(sock_extended_err))> bytes{};

    Report(int level, int type, const sock_extended_err& error) {
        cmsghdr head{};
        head.cmsg_level = level;
        head.cmsg_type = type;
        head.cmsg_len = CMSG_LEN(sizeof error);
        std::memcpy(bytes.data(), &head, sizeof head);
        std::memcpy(bytes.data() + CMSG_LEN(0), &error, sizeof error);
    }
    [[nodiscard]] const cmsghdr& part() const { return *reinterpret_cast<const cmsghdr*>(bytes.data()); }
};

TEST(KernelDeparture, TellsMissedDeparturesFromOtherReports) {
    sock_extended_err missed{};
    missed.ee_origin = SO_EE_ORIGIN_TXTIME;
    missed.ee_code = SO_EE_CODE_TXTIME_MISSED;
    EXPECT_TRUE(is_about_a_missed_departure(Report(IPPROTO_IP, IP_RECVERR, missed).part()));
    EXPECT_TRUE(is_about_a_missed_departure(Report(IPPROTO_IPV6, IPV6_RECVERR, missed).part()));
    EXPECT_FALSE(is_about_a_missed_departure(Report(IPPROTO_IP, IP_TTL, missed).part()));
    sock_extended_err invalid = missed;  // that the send call has reported as well
    invalid.ee_code = SO_EE_CODE_TXTIME_INVALID_PARAM;
    EXPECT_FALSE(is_about_a_missed_departure(Report(IPPROTO_IP, IP_RECVERR, invalid).part()));
    sock_extended_err icmp = missed;
    icmp.ee_origin = SO_EE_ORIGIN_ICMP;
    EXPECT_FALSE(is_about_a_missed_departure(Report(IPPROTO_IP, IP_RECVERR, icmp).part()));
}

TEST(KernelDeparture, ReportsOfASocketAreTakenOnceWithTheirRefusals) {
    RefusedFlow flow;
    const QueueReports reports = take_queue_reports(flow.channel.fd());
    EXPECT_EQ(reports.refusal, ECONNREFUSED);
    EXPECT_EQ(reports.missed, 0U);
    EXPECT_EQ(take_queue_reports(flow.channel.fd()).refusal, 0);
}

}  // namespace
}  // namespace groma
