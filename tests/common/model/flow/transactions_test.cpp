// Requests and responses, as values: how they are asked for, written and checked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/json/json_record.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/model/flow/flow_json.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/sharing.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

FlowSpec flow_with(const std::string& keys) {
    const std::string head = "[defaults]\nto = 'h'\npackets = 1\n[[flow]]\n";
    return parse_experiment(head + keys, "e.toml", {}, 42).flows.front();
}

FlowSpec closed_loop() {
    return flow_with(
        "request = '100'\nresponse = 'exp:1000'\nin_flight = 4\nthink = 'exp:10ms'\nresponse_timeout = '2s'");
}

TEST(FlowTransactions, RequestsWithoutDeparturesOfTheirOwnWaitForResponses) {
    for (const char* keys : {"request = '100'", "response = '100'", "think = '1ms'", "response_timeout = '1ms'"}) {
        const FlowSpec spec = flow_with(keys);
        EXPECT_EQ(spec.in_flight, 1U) << keys;
        EXPECT_TRUE(is_greedy(spec.idt));
        EXPECT_EQ(spec.meter, Meter::round_trip);
    }
    EXPECT_EQ(flow_with("response = '100'").size, FlowSpec{}.size) << "not that of bulk";
    EXPECT_EQ(flow_with("in_flight = 7").in_flight, 7U);
    EXPECT_EQ(flow_with("request = '77'").size, Distribution(Constant{77}));
}

TEST(FlowTransactions, RequestsWithARateLeaveAtTheirOwnTimes) {
    for (const char* keys : {"request = '100'\nrate = '5kpps'", "response = '100'\nidt = 'exp:1ms'"}) {
        const FlowSpec spec = flow_with(keys);
        EXPECT_EQ(spec.in_flight, 0U);
        EXPECT_FALSE(is_greedy(spec.idt));
        EXPECT_EQ(spec.meter, Meter::round_trip);
    }
}

TEST(FlowTransactions, AreWrittenAsTheyWereAskedFor) {
    const FlowSpec spec = closed_loop();
    EXPECT_EQ(from_json<FlowSpec>(to_json(spec)), spec);
    EXPECT_EQ(spec.response_timeout, Nanos{2'000'000'000});
    EXPECT_EQ(gaps_to_string(spec), "4 in flight, think exp:10ms");
    EXPECT_EQ(sizes_to_string(spec), "const:100, response exp:1000");
    EXPECT_FALSE(to_json(FlowSpec{}).contains("in_flight"));
}

TEST(FlowTransactions, SayWhichOneTheyAreAndSoAreNotSmaller) {
    FlowSpec spec = closed_loop();
    EXPECT_EQ(validate(spec), std::vector<std::string>{});
    EXPECT_EQ(size_limits(spec).smallest, 20U);
    spec.size = Constant{19};
    spec.response = Constant{19};
    EXPECT_THAT(validate(spec), ElementsAre(HasSubstr("a payload of 19 bytes cannot be sent over udp as a request or a "
                                                      "response, which say which one they are: sizes are from 20"),
                                            HasSubstr("a payload of 19 bytes")));
    spec.transport = Transport::tcp;
    EXPECT_EQ(size_limits(spec).smallest, 21U) << "of which one is the frame's length";
}

TEST(FlowTransactions, RefuseWhatDoesNotGoTogether) {
    const auto refused = [](const char* why, auto change) {
        FlowSpec spec = closed_loop();
        change(spec);
        EXPECT_THAT(validate(spec), ElementsAre(HasSubstr(why)));
    };
    refused("round-trip meter", [](FlowSpec& spec) { spec.meter = Meter::one_way; });
    refused("leave the header full", [](FlowSpec& spec) { spec.header = HeaderLevel::sequence; });
    refused("no departures of their own", [](FlowSpec& spec) { spec.idt = Constant{1e6}; });
    refused("leave out idt, rate and profile, or think", [](FlowSpec& spec) {
        spec.idt = Constant{1e6};
        spec.in_flight = 0;
        spec.response_timeout.reset();
    });
    refused("leave out idt, rate and profile, or response_timeout", [](FlowSpec& spec) {
        spec.idt = Constant{1e6};
        spec.in_flight = 0;
        spec.think.reset();
    });
    refused("(response_timeout) must be above 0", [](FlowSpec& spec) { spec.response_timeout = Nanos{0}; });
    refused("'max' is only", [](FlowSpec& spec) { spec.response = Greedy{}; });
    refused("'max' is only", [](FlowSpec& spec) { spec.think = Greedy{}; });
    refused("sizes of responses", [](FlowSpec& spec) { spec.response = Exponential{-1}; });
    refused("think times", [](FlowSpec& spec) { spec.think = Exponential{-1}; });
    refused("no ON and OFF periods", [](FlowSpec& spec) { spec.on_off = OnOff{Constant{1e9}, Constant{1e9}}; });
}

TEST(FlowTransactions, MakeConnectionsForSomeRequestsEach) {
    const std::string tcp = "transport = 'tcp'\n";
    const FlowSpec each = flow_with(tcp + "connect_each = 'on'");
    EXPECT_EQ(each.requests_per_connection, Distribution(Constant{1}));
    EXPECT_EQ(each.in_flight, 1U) << "it asks for requests and responses";
    EXPECT_EQ(from_json<FlowSpec>(to_json(each)), each);
    EXPECT_EQ(validate(each), std::vector<std::string>{});
    EXPECT_EQ(flow_with(tcp + "connect_each = 'off'").requests_per_connection, std::nullopt);
    EXPECT_EQ(flow_with(tcp + "connect_each = 'off'").in_flight, 0U);
    EXPECT_EQ(flow_with(tcp + "requests_per_connection = 'unif:1:20'").requests_per_connection,
              Distribution(Uniform{1, 20}));
    EXPECT_THROW((void)flow_with(tcp + "connect_each = 'yes'"), ParseError);
}

TEST(FlowTransactions, RefuseConnectionsThatCannotBe) {
    const auto refused = [](const char* why, auto change) {
        FlowSpec spec = closed_loop();
        spec.transport = Transport::tcp;
        spec.in_flight = 1;
        spec.requests_per_connection = Constant{2};
        EXPECT_EQ(validate(spec), std::vector<std::string>{});
        change(spec);
        EXPECT_THAT(validate(spec), ElementsAre(HasSubstr(why)));
    };
    refused("are made over tcp or mptcp, and not over udp", [](FlowSpec& spec) { spec.transport = Transport::udp; });
    refused("more flows (count) make more connections", [](FlowSpec& spec) { spec.in_flight = 2; });
    refused("a whole number, at least 1", [](FlowSpec& spec) { spec.requests_per_connection = Constant{0.5}; });
    refused("a whole number, at least 1", [](FlowSpec& spec) { spec.requests_per_connection = Constant{1.5}; });
    refused("'max' is only", [](FlowSpec& spec) { spec.requests_per_connection = Greedy{}; });
}

TEST(FlowTransactions, AreBoundedInMessages) {
    auto object = to_json(closed_loop());
    object["in_flight"] = kMostInFlight + 1;
    EXPECT_THROW((void)from_json<FlowSpec>(object), UsageError);
}

}  // namespace
}  // namespace groma
