#include "common/net/device/departure_queue.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include <cstring>

#include "common/base/errors.hpp"
#include "common/net/device/netlink.hpp"

namespace groma {
namespace {

using std::chrono::microseconds;
using testing::HasSubstr;
using Octets = std::vector<std::byte>;

/// The kernel's bytes, made by hand.
template <typename Value>
Octets bytes_of(const Value& value) {
    Octets bytes(sizeof value);
    std::memcpy(bytes.data(), &value, sizeof value);
    return bytes;
}

void append(Octets& to, const Octets& more) {
    to.insert(to.end(), more.begin(), more.end());
    to.resize((to.size() + 3) / 4 * 4);
}

Octets attribute(std::uint16_t type, const Octets& value) {
    Octets bytes = bytes_of(rtattr{static_cast<std::uint16_t>(sizeof(rtattr) + value.size()), type});
    append(bytes, value);
    return bytes;
}

Octets text(const std::string& words) {
    Octets bytes(words.size() + 1);
    std::memcpy(bytes.data(), words.c_str(), bytes.size());
    return bytes;
}

struct Place {
    int device = 7;
    std::uint32_t handle = 0x80010000;
    std::uint32_t parent = TC_H_ROOT;
};

Octets discipline(const std::string& kind, const Place& place, const Octets& options = {}) {
    tcmsg head{};
    head.tcm_ifindex = place.device;
    head.tcm_handle = place.handle;
    head.tcm_parent = place.parent;
    Octets body = bytes_of(head);
    append(body, attribute(TCA_KIND, text(kind)));
    append(body, attribute(TCA_OPTIONS, options));
    nlmsghdr header{};
    header.nlmsg_type = RTM_NEWQDISC;
    header.nlmsg_len = static_cast<std::uint32_t>(sizeof header + body.size());
    Octets message = bytes_of(header);
    append(message, body);
    return message;
}

Octets fq(const Place& place = {}, std::uint32_t most_of_flow = 100) {
    Octets options = attribute(TCA_FQ_PLIMIT, bytes_of(std::uint32_t{10'000}));
    append(options, attribute(TCA_FQ_FLOW_PLIMIT, bytes_of(most_of_flow)));
    return discipline("fq", place, options);
}

Octets etf(std::uint32_t flags, const Place& place = {}) {
    return discipline("etf", place, attribute(TCA_ETF_PARMS, bytes_of(tc_etf_qopt{200'000, 11, flags})));
}

Octets together(const std::vector<Octets>& messages) {
    Octets all;
    for (const Octets& message : messages) {
        append(all, message);
    }
    return all;
}

DepartureQueue queue_of(const std::vector<Octets>& messages, std::uint32_t priority = 0) {
    return departure_queue("eth0", 7, disciplines_in(together(messages)), priority);
}

std::string refusal_of(const std::vector<Octets>& messages, std::uint32_t priority = 0) {
    try {
        (void)queue_of(messages, priority);
    } catch (const RunError& error) {
        return error.what();
    }
    return "taken";
}

TEST(DepartureQueue, FqHoldsPacketsAndSaysHowManyOfAFlow) {
    const DepartureQueue queue = queue_of({discipline("noqueue", {.device = 1}), fq()});
    EXPECT_EQ(queue.kind, DepartureQueue::Kind::fq);
    EXPECT_EQ(queue.name, "fq on eth0");
    EXPECT_EQ(queue.most_of_flow, 100U);
}

TEST(DepartureQueue, EtfHoldsPacketsUntilItsDeltaBeforeTheirTime) {
    const DepartureQueue software = queue_of({etf(0)});
    EXPECT_EQ(software.kind, DepartureQueue::Kind::etf);
    EXPECT_EQ(software.name, "etf on eth0");
    EXPECT_EQ(software.delta, microseconds(200));
    EXPECT_FALSE(software.offload);
    EXPECT_TRUE(queue_of({etf(TC_ETF_OFFLOAD_ON)}).offload);
}

TEST(DepartureQueue, OtherDisciplinesAreRefusedWithTheCommandThatSetsOne) {
    const std::string refusal = refusal_of({discipline("pfifo_fast", {})});
    EXPECT_THAT(refusal, HasSubstr("the queueing discipline of eth0 is pfifo_fast"));
    EXPECT_THAT(refusal, HasSubstr("tc qdisc replace dev eth0 root fq"));
    EXPECT_THAT(refusal, HasSubstr("--departure user"));
    EXPECT_THAT(refusal_of({etf(TC_ETF_DEADLINE_MODE_ON)}), HasSubstr("deadline_mode"));
    EXPECT_THAT(refusal_of({discipline("etf", {})}), HasSubstr("is etf, not")) << "an etf that says nothing of itself";
    EXPECT_THAT(refusal_of({fq({.device = 8})}), HasSubstr("does not say which"));
    EXPECT_THAT(refusal_of({}), HasSubstr("does not say which"));
}

TEST(DepartureQueue, OfADeviceWithSeveralQueuesAllMustHoldPackets) {
    const Place root{.handle = 0x10000};
    const Place first{.handle = 0x80020000, .parent = 0x10001};
    const Place second{.handle = 0x80030000, .parent = 0x10002};
    const Place elsewhere{.device = 9, .parent = 0x10001};
    EXPECT_EQ(queue_of({discipline("mq", root), fq(first), fq(second), discipline("noqueue", elsewhere)}).name,
              "fq on eth0");
    EXPECT_THAT(refusal_of({discipline("mq", root), fq(first), discipline("fq_codel", second)}),
                HasSubstr("is fq_codel"));
    EXPECT_THAT(refusal_of({discipline("mq", root), fq(first), etf(0, second)}), HasSubstr("different"));
    EXPECT_THAT(refusal_of({discipline("mq", root)}), HasSubstr("is mq"));
}

TEST(DepartureQueue, OfADeviceWithClassesThatOfThePacketsPriorityCounts) {
    const Place root{.handle = 0x10000};
    const Place first{.handle = 0x80020000, .parent = 0x10001};
    const Place second{.handle = 0x80030000, .parent = 0x10002};
    tc_prio_qopt bands{};
    bands.bands = 2;
    bands.priomap[5] = 1;
    const std::vector<Octets> prio{discipline("prio", root, bytes_of(bands)), discipline("pfifo", first),
                                   etf(0, second)};
    EXPECT_EQ(queue_of(prio, 5).name, "etf on eth0");
    EXPECT_THAT(refusal_of(prio, 0), HasSubstr("is pfifo"));

    tc_mqprio_qopt classes{};
    classes.num_tc = 2;
    classes.prio_tc_map[3] = 1;
    classes.offset[1] = 1;
    classes.count[0] = classes.count[1] = 1;
    const std::vector<Octets> mqprio{discipline("mqprio", root, bytes_of(classes)), discipline("fq_codel", first),
                                     fq(second)};
    EXPECT_EQ(queue_of(mqprio, 3).name, "fq on eth0");
    EXPECT_THAT(refusal_of(mqprio, 0), HasSubstr("is fq_codel"));
    const Octets map = attribute(TCA_TAPRIO_ATTR_PRIOMAP, bytes_of(classes));
    EXPECT_EQ(queue_of({discipline("taprio", root, map), discipline("pfifo", first), etf(0, second)}, 3).name,
              "etf on eth0");
}

TEST(DepartureQueue, AnAnswerCutShortAnywhereGivesWhatIsWholeInIt) {
    const std::vector<Octets> messages{fq(), etf(0), discipline("mq", {})};
    const Octets whole = together(messages);
    const std::vector<QueueingDiscipline> all = disciplines_in(whole);
    ASSERT_EQ(all.size(), 3U);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const Octets cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
        const std::vector<QueueingDiscipline> some = disciplines_in(cut);
        ASSERT_LT(some.size(), all.size()) << size;
        for (std::size_t i = 0; i < some.size(); ++i) {
            ASSERT_EQ(some[i], all[i]) << size;
        }
    }
}

TEST(DepartureQueue, ADamagedAnswerIsReadToItsEnd) {
    const Octets whole = together({fq(), etf(0)});
    for (std::size_t place = 0; place < whole.size(); ++place) {
        for (const unsigned flip : {0x01U, 0x80U, 0xffU}) {
            Octets damaged = whole;
            damaged[place] ^= static_cast<std::byte>(flip);
            EXPECT_LE(disciplines_in(damaged).size(), 2U) << place;
        }
    }
}

TEST(DepartureQueue, OnTheWayToLoopbackIsAskedOfTheKernel) {
    const SocketAddress here = SocketAddress::from_literal("127.0.0.1", 9000);
    const SocketAddress here6 = SocketAddress::from_literal("::1", 9000);
    for (const SocketAddress& address : {here, here6}) {
        try {
            DeviceQueues queues;
            const DepartureQueue queue = departure_queue_towards({address, address}, 0, queues);
            EXPECT_THAT(queue.name, HasSubstr(" on lo"));  // a host whose administrator gave it one
        } catch (const RunError& error) {
            EXPECT_THAT(error.what(), HasSubstr("the queueing discipline of lo is "));
        }
    }
}

}  // namespace
}  // namespace groma
