// A flow that goes as fast as possible, as a value: how it is written, checked and scheduled.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/distributions/scaled.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/model/flow/flow_json.hpp"
#include "common/model/flow/flow_keys.hpp"
#include "common/model/flow/flow_spread.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/schedule.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

FlowSpec greedy_spec() {
    FlowSpec spec;
    spec.target = parse_target("h");
    spec.idt = Greedy{};
    spec.stop.packets = 3;
    return spec;
}

template <typename Change>
std::vector<std::string> greedy_errors(Change change) {
    FlowSpec spec = greedy_spec();
    change(spec);
    return validate(spec);
}

template <typename Try>
std::string greedy_refusal(Try attempt) {
    try {
        static_cast<void>(attempt());
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Greedy, IsWrittenAloneAndOnlyForGaps) {
    EXPECT_EQ(parse_idt("max"), Distribution(Greedy{}));
    EXPECT_EQ(idt_to_string(Greedy{}), "max");
    EXPECT_THAT(greedy_refusal([] { return parse_size("max"); }), HasSubstr("only for inter-departure times"));
    EXPECT_THAT(greedy_refusal([] { return parse_period("max"); }), HasSubstr("only for inter-departure times"));
    EXPECT_THAT(greedy_refusal([] { return parse_idt("max:1ms"); }), HasSubstr("write max"));
    EXPECT_THAT(greedy_refusal([] { return parse_idt("mix:1*(max)+1*(exp:1ms)"); }),
                HasSubstr("no distribution 'max'"));
    EXPECT_THAT(greedy_refusal([] { return parse_idt("maxx"); }), HasSubstr("did you mean 'max'?"));
}

TEST(Greedy, ComesBackFromMessagesAndOnlyAsGaps) {
    const FlowSpec spec = greedy_spec();
    nlohmann::json object = to_json(spec);
    EXPECT_EQ(from_json<FlowSpec>(object), spec);
    object["size"] = object["idt"];
    EXPECT_THAT(validate(from_json<FlowSpec>(object)), ElementsAre("'max' is only for inter-departure times"));
}

TEST(Greedy, HasNoFigures) {
    EXPECT_EQ(mean(Greedy{}), std::nullopt);
    EXPECT_EQ(mean_from_0(Greedy{}), std::nullopt);
    EXPECT_EQ(deviation(Greedy{}), std::nullopt);
}

TEST(Greedy, TakesNoRate) {
    EXPECT_THAT(greedy_refusal([] { return with_rate(Greedy{}, PacketRate{5}, Constant{1}); }),
                HasSubstr("give a rate, or 'max', not both"));
}

TEST(Greedy, CountsAsTheLoadOfAWorker) {
    EXPECT_EQ(expected_rate(greedy_spec()), kRateOfWorker);
}

TEST(Greedy, IsDueFromItsStartOn) {
    FlowSpec spec = greedy_spec();
    spec.start_delay = Nanos{7};
    spec.stop.duration = Nanos{1};
    Schedule schedule(spec);
    for (std::uint64_t seq = 0; seq < 3; ++seq) {
        EXPECT_EQ(schedule.next(), (Departure{seq, Nanos{7}, 512}));
    }
    EXPECT_EQ(schedule.next(), std::nullopt);
}

TEST(Greedy, HasNothingThatNeedsASchedule) {
    EXPECT_EQ(validate(greedy_spec()), std::vector<std::string>{});
    const auto refused = [](const char* why, auto change) {
        EXPECT_THAT(greedy_errors(change), ElementsAre(HasSubstr(why)));
    };
    refused("ON and OFF periods", [](FlowSpec& spec) { spec.on_off = OnOff{Constant{1e9}, Constant{1e9}}; });
    refused("round-trip meter", [](FlowSpec& spec) { spec.meter = Meter::round_trip; });
    refused("never late", [](FlowSpec& spec) { spec.lateness = LatenessPolicy::skip; });
    refused("departure times", [](FlowSpec& spec) { spec.options.departure_lead = Nanos{1'000'000}; });
    refused("of its own", [](FlowSpec& spec) { spec.options.association = 1; });
}

TEST(Greedy, TakesTheSizeOfItsTransportUnlessOneIsGiven) {
    for (const TransportTraits& transport : kTransports) {
        FlowDraft draft{.spec = greedy_spec()};
        draft.spec.transport = transport.transport;
        choose_rest(draft);
        EXPECT_EQ(draft.spec.size, Distribution(Constant{static_cast<double>(transport.bulk_size)}));
        EXPECT_EQ(validate(draft.spec), std::vector<std::string>{}) << transport.name;
    }
    FlowDraft given{.spec = greedy_spec(), .sized = true};
    choose_rest(given);
    EXPECT_EQ(given.spec.size, FlowSpec{}.size);
    FlowDraft paced;
    choose_rest(paced);
    EXPECT_EQ(paced.spec.size, FlowSpec{}.size);
}

TEST(Greedy, TakesTheSizeOfItsTransportInAnExperimentToo) {
    const std::string head = "[defaults]\nto = 'h'\nidt = 'max'\npackets = 1\n[[flow]]\n";
    const auto parse = [&head](const std::string& rest) { return parse_experiment(head + rest, "e.toml", {}, 42); };
    const std::vector<FlowSpec> flows = parse("transport = 'tcp'\n[[flow]]\nsize = 100").flows;
    EXPECT_EQ(flows.at(0).size, Distribution(Constant{131'072}));
    EXPECT_EQ(flows.at(1).size, Distribution(Constant{100}));
    EXPECT_THROW(static_cast<void>(parse("rate = '1pps'")), ParseError);
}

}  // namespace
}  // namespace groma
