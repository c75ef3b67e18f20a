#include "common/access/limits.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "common/model/distributions/distribution_text.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

FlowSpec flow_of(double pps, Distribution size, std::optional<Nanos> duration = std::chrono::seconds(10)) {
    FlowSpec spec;
    spec.idt = Constant{1e9 / pps};
    spec.size = std::move(size);
    spec.stop.duration = duration;
    return spec;
}

std::string excess(std::string_view limits, const std::vector<FlowSpec>& flows) {
    Load load;
    for (const FlowSpec& flow : flows) {
        load.add(flow);
    }
    return excess_in_words(parse_limits(limits), load, Load{.sessions = 0});
}

TEST(KeyLimits, AreWrittenAsTheyAreRead) {
    for (const char* const text :
         {"sessions=4", "flows=100", "rate=10kpps", "rate=1Gbps", "duration=3600s", "to=10.0.0.0/8+239.1.0.0/16",
          "ports=1-65535", "log-bytes=10GiB", "spool-bytes=64KiB",
          "sessions=1,flows=2,rate=3pps,rate=4kbps,duration=300s,to=fd00::/"
          "8,ports=5000-5099,log-bytes=1,spool-bytes=1"}) {
        const Limits limits = parse_limits(text);
        EXPECT_EQ(to_string(limits), text);
        EXPECT_NE(limits, Limits()) << text;
    }
    EXPECT_EQ(to_string(Limits()), "");
}

TEST(KeyLimits, WhatIsNoneIsRefused) {
    for (const char* const text : {"",
                                   "flows",
                                   "flows=",
                                   "flows=0",
                                   "flows=-1",
                                   "rate=0pps",
                                   "rate=10",
                                   "duration=5",
                                   "to=x",
                                   "ports=9",
                                   "log-bytes=0",
                                   "log-bytes=0.5B",
                                   "log-bytes=1,log-bytes=2",
                                   "spool-bytes=0",
                                   "Flows=1",
                                   "flows=1,",
                                   "to=10.0.0.0/8,11.0.0.0/8",
                                   "flows=1,flows=2",
                                   "rate=1pps,rate=2pps",
                                   "rate=1kbps,rate=1Mbps"}) {
        EXPECT_THROW((void)parse_limits(text), UsageError) << text;
    }
    try {
        (void)parse_limits("flow=1");
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("did you mean 'flows'"));
    }
}

TEST(KeyLimits, AreExceededByAllFlowsTogether) {
    const FlowSpec flow = flow_of(1000, Constant{125});
    EXPECT_THAT(excess("flows=2,rate=2kpps,rate=2Mbps,duration=10s", {flow, flow}), IsEmpty());
    EXPECT_THAT(excess("flows=1", {flow, flow}), HasSubstr("at most 1 flow at once (flows=1), and this asks for 2"));
    EXPECT_THAT(excess("rate=1999pps", {flow, flow}), HasSubstr("(rate=1999pps), and this asks for 2kpps"));
    EXPECT_THAT(excess("rate=1999kbps", {flow, flow}), HasSubstr("(rate=1999kbps), and this asks for 2Mbps"));
    FlowSpec later = flow;
    later.start_delay = Nanos{1};
    EXPECT_THAT(excess("duration=10s", {flow, later}), HasSubstr("(duration=10s), and this asks for"));
}

TEST(KeyLimits, AreExceededByWhatHasNoBound) {
    FlowSpec greedy = flow_of(1, Constant{125});
    greedy.idt = Greedy{};
    FlowSpec waiting = greedy;
    waiting.in_flight = 1;
    FlowSpec at_once = greedy;
    at_once.idt = Constant{0};
    for (const FlowSpec& flow : {greedy, waiting, at_once}) {
        EXPECT_THAT(excess("rate=1Mpps", {flow}), HasSubstr("without a bound"));
        EXPECT_THAT(excess("rate=1000Gbps", {flow}), HasSubstr("without a bound"));
    }
    FlowSpec endless = flow_of(1, Constant{125}, std::nullopt);
    endless.stop.packets = 1;
    EXPECT_THAT(excess("duration=3600s", {endless}), HasSubstr("without an end"))
        << "nobody knows how long a packet takes";
}

TEST(KeyLimits, ADistributionThatIsRaisedCannotHideItsMean) {
    // Half of these sizes are below 0 and become the smallest: the mean of the others is some 40,000 bytes.
    EXPECT_THAT(excess("rate=1Mbps", {flow_of(1000, Normal{.mean = 1, .deviation = 100'000})}),
                HasSubstr("rate=1Mbps"));
    EXPECT_THAT(excess("rate=100kbps", {flow_of(1000, Constant{125})}), HasSubstr("asks for 1Mbps"));
}

TEST(KeyLimits, RareLongGapsCannotHideBursts) {
    FlowSpec flow = flow_of(1, Constant{125});
    flow.idt = parse_idt("discrete:1us=1,1000000h=1e-9", {});
    EXPECT_THAT(excess("rate=100kpps", {flow}), HasSubstr("asks for 999001pps"));
    FlowSpec slow = flow_of(0.1, Constant{125}, std::chrono::hours(1));
    EXPECT_THAT(excess("rate=1pps", {slow, slow, slow}), IsEmpty());
    FlowSpec exponential = flow_of(1, Constant{125});
    exponential.idt = Exponential{.mean = 1e6};
    EXPECT_THAT(excess("rate=1kpps", {exponential}), IsEmpty()) << "its mean is what counts";
}

TEST(KeyLimits, RoundTripsCountBothWays) {
    FlowSpec flow = flow_of(1000, Constant{125});
    flow.meter = Meter::round_trip;
    EXPECT_THAT(excess("rate=1999pps", {flow}), HasSubstr("asks for 2kpps"));
    EXPECT_THAT(excess("rate=1999kbps", {flow}), HasSubstr("asks for 2Mbps"));
    flow.response = Constant{60'000};
    EXPECT_THAT(excess("rate=400Mbps", {flow}), HasSubstr("asks for 481Mbps"));
}

TEST(KeyLimits, AnEndBeyondAllTimesIsNone) {
    FlowSpec flow = flow_of(1, Constant{125}, Nanos::max());
    flow.start_delay = Nanos{1};
    EXPECT_THAT(excess("duration=3600s", {flow}), HasSubstr("without an end"));
}

TEST(KeyLimits, OfSessions) {
    EXPECT_THAT(excess_in_words(parse_limits("sessions=2"), {}, Load{.sessions = 1}), IsEmpty());
    EXPECT_THAT(excess_in_words(parse_limits("sessions=2"), {}, Load{.sessions = 2}),
                HasSubstr("at most 2 sessions at once (sessions=2), and this asks for number 3"));
}

TEST(KeyLimits, AreExceededByWhatIsAskedForAndWhatIsThere) {
    Load asked;
    asked.add(flow_of(1000, Constant{125}));
    const auto beside = [&](std::string_view limits) { return excess_in_words(parse_limits(limits), asked, asked); };
    EXPECT_THAT(beside("flows=2,rate=2kpps,rate=2Mbps"), IsEmpty());
    EXPECT_THAT(beside("flows=1"), HasSubstr("asks for 1 beside 1 of other sessions or runs under this key"));
    EXPECT_THAT(beside("rate=1999pps"), HasSubstr("asks for 1kpps beside 1kpps of other sessions"));
    EXPECT_THAT(beside("rate=1999kbps"), HasSubstr("asks for 1Mbps beside 1Mbps of other sessions"));
    EXPECT_THAT(beside("duration=10s"), IsEmpty()) << "each has its own";
}

TEST(KeyLimits, SayHowFullAHostIs) {
    EXPECT_EQ(fullness_in_words(parse_limits("log-bytes=10MB"), Bytes{9'500'000}),
              "at most 10 MB of logs (log-bytes=10MB), of which 9.5 MB are used");
    EXPECT_EQ(spool_fullness_in_words(parse_limits("log-bytes=10MB,spool-bytes=1MiB")),
              "at most 1.049 MB of logs in the spool (spool-bytes=1MiB)");
}

TEST(KeyLimits, SayWhereAHostSends) {
    const auto misdirection = [](std::string_view limits, std::string_view address, std::uint16_t port = 5000) {
        return misdirection_in_words(limits.empty() ? Limits{} : parse_limits(limits),
                                     SocketAddress::from_literal(address, port));
    };
    EXPECT_THAT(misdirection("", "10.0.0.2"), IsEmpty());
    EXPECT_THAT(misdirection("", "10.0.0.2", 0), IsEmpty()) << "not known yet";
    EXPECT_THAT(misdirection("", "224.0.0.251"), HasSubstr("no multicast group"));
    EXPECT_THAT(misdirection("", "ff02::1"), HasSubstr("no multicast group"));
    EXPECT_THAT(misdirection("to=224.0.0.0/24", "224.0.0.251"), IsEmpty());
    EXPECT_THAT(misdirection("to=224.0.0.0/24", "10.0.0.2"), HasSubstr("these networks only (to=224.0.0.0/24)"));
    EXPECT_THAT(misdirection("to=10.0.0.0/8", "224.0.0.251"), HasSubstr("these networks only"));
    for (const std::uint16_t port : {std::uint16_t{1}, std::uint16_t{53}, std::uint16_t{1023}}) {
        EXPECT_THAT(misdirection("", "10.0.0.2", port), HasSubstr("(ports=1024-65535), and this asks for"));
    }
    EXPECT_THAT(misdirection("ports=1-65535", "10.0.0.2", 53), IsEmpty());
    EXPECT_THAT(misdirection("ports=5000-5001", "10.0.0.2", 5002), HasSubstr("these ports only (ports=5000-5001)"));
}

}  // namespace
}  // namespace groma
