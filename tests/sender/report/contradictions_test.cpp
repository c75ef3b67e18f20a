#include "sender/report/contradictions.hpp"

#include <gmock/gmock.h>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

constexpr WallTime kBegan = wall_time_from_ns(1'700'000'000'000'000'000);

std::string contradiction_of(const FlowReport& flow) {
    return contradiction(flow, *flow.received, {kBegan, flow.delay_bound});
}

TEST(Contradictions, ThereAreNoneOfHonestCounts) {
    FlowReport flow = faithful_flow(1, "voice");
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    flow.received->packets = 10'005;  // the network's copies
    flow.received->duplicates = 20;
    flow.received->bytes = 10'005 * 512;
    flow.received->reordered = 700;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    *flow.received = {.flow = FlowId{1}, .state = "ok"};
    EXPECT_THAT(contradiction_of(flow), IsEmpty()) << "nothing arrived";
    EXPECT_THAT(contradiction_of(round_trip_flow(1, "voice")), IsEmpty());
}

TEST(Contradictions, MoreArrivedThanWasSent) {
    FlowReport flow = faithful_flow(1, "voice");
    flow.received->packets *= 2;
    flow.received->bytes *= 2;
    EXPECT_EQ(contradiction_of(flow),
              "the receiver's counts contradict what was sent: 20000 packets arrived, 10000 were sent");
    flow.outcome.counts.unnumbered = 10'000;
    EXPECT_THAT(contradiction_of(flow), IsEmpty()) << "nobody can tell the network's copies";
}

TEST(Contradictions, CopiesOfPacketsWithoutANumberAreNone) {
    FlowReport flow = faithful_flow(1, "voice");
    flow.received->packets += 1;
    flow.received->bytes = flow.received->packets * 3;
    flow.outcome.counts.unnumbered = 1;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    for (const Transport once : {Transport::tcp, Transport::sctp, Transport::usrsctp}) {
        flow.spec.transport = once;
        EXPECT_THAT(contradiction_of(flow), HasSubstr("10001 packets arrived")) << to_string(once);
    }
    flow.spec.transport = Transport::udp;
    flow.outcome.counts.unnumbered = 0;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("10001 packets arrived")) << "all have a number";
}

TEST(Contradictions, OfNumbersThatWereNotSent) {
    FlowReport flow = faithful_flow(1, "voice");
    flow.received->numbers_end = 10'000;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    flow.received->numbers_end = 10'001;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("number 10000 arrived, the last that was sent is 9999 at most"));
    flow.outcome.counts.dropped = 1;
    EXPECT_THAT(contradiction_of(flow), IsEmpty()) << "what the kernel did not take has a number";
}

TEST(Contradictions, OfTimes) {
    FlowReport flow = faithful_flow(1, "voice");
    flow.received->delays = ArrivalDelays{.packets = flow.received->packets};
    flow.received->first_arrival = flow.received->last_arrival = wall_time_from_ns(5);
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    flow.received->first_arrival = wall_time_from_ns(6);
    EXPECT_THAT(contradiction_of(flow), HasSubstr("the first packet arrived after the last"));
    flow.received->first_arrival = wall_time_from_ns(5);
    ++flow.received->delays->packets;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("10001 delays of 10000 packets"));
}

TEST(Contradictions, OfClocks) {
    using namespace std::chrono_literals;
    FlowReport flow = faithful_flow(1, "voice");
    flow.spec.start_delay = 5ms;
    flow.delay_bound = 3ms;
    flow.received->first_arrival = kBegan + 1ms;
    flow.received->last_arrival = kBegan + 10s;
    flow.received->delays = ArrivalDelays{.packets = 10'000, .min = -4ms};
    EXPECT_THAT(contradiction_of(flow), IsEmpty()) << "the clocks, and a step of 1 ms that nobody notices";
    flow.received->delays->min = -5ms;
    EXPECT_THAT(contradiction_of(flow),
                HasSubstr("a packet arrived 5 ms before it left, and the clocks are at most 3 ms off"));
    flow.outcome.queue = "etf on eth0";
    EXPECT_THAT(contradiction_of(flow), IsEmpty()) << "the queue may let packets go before their times";
    flow.received->first_arrival = kBegan;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("the first packet arrived 5 ms before the flow began"));
    flow.delay_bound.reset();
    EXPECT_THAT(contradiction_of(flow), IsEmpty()) << "nothing relates the clocks";
    flow.spec.header = HeaderLevel::sequence;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("10000 delays of packets without the time of their departure"));
}

TEST(Contradictions, OfWhatTheTransportDoes) {
    FlowReport flow = faithful_flow(1, "voice");
    flow.received->duplicates = 1;
    flow.received->reordered = 2;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    flow.spec.transport = Transport::sctp;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("1 duplicate over SCTP, which delivers none"));
    flow.received->duplicates = 0;
    EXPECT_THAT(contradiction_of(flow), IsEmpty()) << "streams of an association may overtake each other";
    flow.spec.transport = Transport::mptcp;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("2 reordered packets over MPTCP, which keeps their order"));
}

TEST(Contradictions, OfBytes) {
    FlowReport flow = faithful_flow(1, "voice");
    flow.received->bytes += 1;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("5120001 bytes arrived, 5120000 were sent"));
    flow.received->bytes = 1;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("10000 packets with 1 byte"));
    flow.received->bytes = 10'000 * 65'507;
    flow.outcome.counts.unnumbered = 1;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    ++flow.received->bytes;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("10000 packets with 655070001 bytes"));
    flow.received->bytes = 10'000 * 19;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    flow.spec.options.association = 1;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("10000 packets with 190000 bytes")) << "the header names the flow";
}

TEST(Contradictions, OfBytesOfPacketsThatAllCameOnceAndOfCopies) {
    FlowReport flow = faithful_flow(1, "voice");
    flow.received->bytes -= 1;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("5119999 bytes arrived, 5120000 were sent"));
    flow.received->packets -= 1;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    flow = faithful_flow(1, "voice");
    flow.received->packets += 2;
    flow.received->duplicates = 2;
    flow.received->bytes += 2 * 65'507;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    flow.received->bytes += 1;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("5251015 bytes arrived, 5120000 were sent"));
}

TEST(Contradictions, OfADelayThatIsLongerThanTheRun) {
    using namespace std::chrono_literals;
    FlowReport flow = faithful_flow(1, "voice");
    flow.delay_bound = 3ms;
    flow.received->first_arrival = kBegan + 1ms;
    flow.received->last_arrival = kBegan + 10s;
    flow.received->delays = ArrivalDelays{.packets = 10'000, .min = 1ms, .max = 10s};
    EXPECT_THAT(contradiction_of(flow), IsEmpty()) << "within what the clocks can be off";
    flow.received->delays->max = 11s;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("a packet took 11 s, and the last arrived 10 s after the run began"));
}

TEST(Contradictions, OfAllFlowsTogether) {
    using namespace std::chrono_literals;
    SendReport report = faithful_run({"a", "b"});
    EXPECT_THAT(contradiction_of_all(report), IsEmpty());
    report.flows[0].received->delays = ArrivalDelays{.packets = 7, .min = 3ms, .max = 4ms};
    report.flows[1].received->delays = ArrivalDelays{.packets = 5, .min = 2ms, .max = 9ms};
    const ArrivalDelays honest{.packets = 12, .min = 2ms, .max = 9ms};
    report.delays = honest;
    EXPECT_THAT(contradiction_of_all(report), IsEmpty());
    for (auto change : {+[](ArrivalDelays& it) { ++it.packets; }, +[](ArrivalDelays& it) { it.min -= Nanos{1}; },
                        +[](ArrivalDelays& it) { it.max += Nanos{1}; }}) {
        report.delays = honest;
        change(*report.delays);
        EXPECT_THAT(contradiction_of_all(report), HasSubstr("delays of all flows together are not the 12 of each"));
        EXPECT_THAT(failures(report), testing::Contains(contradiction_of_all(report)));
    }
}

TEST(Contradictions, OfTheReceiversCountsAmongThemselves) {
    FlowReport flow = faithful_flow(1, "voice");
    flow.received->duplicates = 10'000;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("10000 duplicates among 10000 packets"));
    flow = faithful_flow(1, "voice");
    flow.received->reordered = 10'001;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("10001 reordered packets of 10000"));
    flow.received->duplicates = 9'000;
    flow.received->reordered = 999;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    flow.received->reordered = 1'000;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("1000 reordered packets of 1000")) << "the first is in order";
    flow = faithful_flow(1, "voice");
    flow.received->records_lost = 10'001;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("10001 records lost of 10000"));
}

TEST(Contradictions, OfReplies) {
    FlowReport flow = round_trip_flow(1, "voice");
    flow.received->replies = 9'979;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("9980 replies came back, it says that it sent 9979"));
    flow.outcome.round_trip->duplicates = 1;
    flow.received->replies_lost = 10;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("9979 packets sent back and 10 not sent back, of 9990"));
    flow.received->replies_lost = 11;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    flow.received->replies_lost = 0;
    flow.received->replies = 9'991;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("9991 replies to 9990 packets"));
    flow.received->replies = 9'985;
    flow.received->replies_lost = 5;
    EXPECT_THAT(contradiction_of(flow), IsEmpty());
    ++flow.received->replies_lost;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("9985 packets sent back and 6 not sent back, of 9990"));
    flow.received->replies_lost = 0;
    flow.spec.meter = Meter::one_way;
    EXPECT_THAT(contradiction_of(flow), HasSubstr("9985 packets of a flow without round trips were to be sent back"));
}

TEST(Contradictions, AreFailuresOfTheRun) {
    SendReport report = faithful_run();
    report.flows.front().received->packets = 20'000;
    EXPECT_THAT(failures(report), testing::ElementsAre(HasSubstr("flow 'flow': the receiver's counts contradict")));
}

}  // namespace
}  // namespace groma
