#include "sender/search/highest_rate.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <random>

#include "sender/search/search_output.hpp"
#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::HasSubstr;

const SearchArguments kAsked{.lowest_pps = 10, .highest_pps = 1e5, .first_pps = 1000};

/// A network that loses what is above its capacity, beside a host that sends up to its own limit; sometimes something
/// else disturbs a trial.
struct FakeNetwork {
    double capacity_pps = 1e9;
    double host_pps = 1e9;
    std::mt19937 draws{1};
    double disturbed = 0;
    bool before = false;

    std::optional<SendReport> operator()(double pps, std::size_t number) {
        SendReport report = faithful_run();
        report.seed = number;
        report.required = parse_requirements("loss=0");
        FlowReport& flow = report.flows.front();
        const auto sent = static_cast<double>(flow.outcome.fidelity.packets);
        set_rates(flow.outcome.fidelity, pps, std::min(pps, host_pps));
        before = not before and std::bernoulli_distribution(disturbed)(draws);
        const double through = std::min(1.0, capacity_pps / pps);
        const std::uint64_t size = flow.received->bytes / flow.received->packets;
        flow.received->packets = static_cast<std::uint64_t>(sent * through) - (before ? 1U : 0U);
        flow.received->bytes = size * flow.received->packets;
        return report;
    }
};

HighestRate found(FakeNetwork network, SearchArguments asked = kAsked) {
    HighestRate result = search_highest_rate(asked, network, [](const Trial& /*trial*/) {});
    result.required = parse_requirements("loss=0");
    result.bits_per_packet = 8000;
    return result;
}

TEST(HighestRate, IsTheCapacityWhateverElseDisturbsATrial) {
    for (unsigned seed = 1; seed <= 100; ++seed) {
        std::mt19937 draws(seed);
        const double capacity = std::uniform_real_distribution<>(20, 90'000)(draws);
        const HighestRate rate = found({.capacity_pps = capacity, .draws = draws, .disturbed = 0.2});
        ASSERT_TRUE(rate.found()) << seed;
        EXPECT_LE(*rate.kept_pps, capacity * 1.0001) << seed;
        EXPECT_GE(*rate.missed_pps, capacity) << seed;
        EXPECT_LE(*rate.missed_pps, *rate.kept_pps * 1.01) << seed;
        EXPECT_TRUE(rate.trials.back().confirms);
    }
}

TEST(HighestRate, SaysWhatFailsAboveIt) {
    const HighestRate rate = found({.capacity_pps = 1500});
    EXPECT_THAT(search_text(rate), AllOf(HasSubstr("Found: 11.94 Mbit/s, 1.493 kpps"), HasSubstr("kept in 3 trials"),
                                         HasSubstr("There: "), HasSubstr("Above, the requirements fail at"),
                                         HasSubstr("packets lost"), HasSubstr("required: loss=0; resolution 1 %")));
    EXPECT_EQ(rate.last_of(rate.missed_pps)->verdict.result, TrialResult::missed);
}

TEST(HighestRate, OfAHostThatCannotSendMoreIsItsOwn) {
    const HighestRate rate = found({.host_pps = 3000});
    EXPECT_TRUE(rate.found());
    EXPECT_THAT(search_text(rate), HasSubstr("the limit is what this host or its connection sends"));
}

TEST(HighestRate, MayBeTheHighestThatWasAskedFor) {
    const HighestRate rate = found({});
    EXPECT_EQ(rate.kept_pps, 1e5);
    EXPECT_FALSE(rate.missed_pps);
    EXPECT_THAT(search_text(rate), HasSubstr("--search-to"));
}

TEST(HighestRate, IsNotFoundWhereNothingIsKept) {
    const HighestRate rate = found({.capacity_pps = 5});
    EXPECT_FALSE(rate.found());
    EXPECT_TRUE(rate.complete);
    EXPECT_THAT(search_text(rate), AllOf(HasSubstr("Nothing found: no rate down to 80 kbit/s, 10 pps keeps loss=0"),
                                         HasSubstr("Above, the requirements fail at 80 kbit/s")));
}

TEST(HighestRate, IsNotFoundWhenTheUserStops) {
    int left = 3;
    HighestRate rate = search_highest_rate(
        kAsked,
        [&](double pps, std::size_t number) {
            return left-- > 0 ? FakeNetwork{}(pps, number) : std::optional<SendReport>();
        },
        [](const Trial& /*trial*/) {});
    EXPECT_FALSE(rate.found());
    EXPECT_EQ(rate.kept_pps, 4000);
    EXPECT_THAT(search_text(rate), HasSubstr("The search ended before a rate was found. Kept so far:"));
}

TEST(HighestRate, NamesTheTrialThatDecidesNothingAndKeepsTheOthers) {
    const HighestRate rate = search_highest_rate(
        kAsked,
        [](double pps, std::size_t number) {
            auto report = FakeNetwork{}(pps, number);
            report->receivers.front().lost = number == 2 ? "it went away" : "";
            return report;
        },
        [](const Trial& /*trial*/) {});
    EXPECT_FALSE(rate.found());
    EXPECT_EQ(rate.error, "trial 3 decides nothing: receiver 10.0.0.2:9000: it went away");
    EXPECT_EQ(rate.trials.size(), 2U);
    EXPECT_EQ(nlohmann::json::parse(search_json(rate))["error"], rate.error);
}

TEST(HighestRate, IsWrittenAsJsonWithAllTrials) {
    const HighestRate rate = found({.capacity_pps = 1500});
    const auto json = nlohmann::json::parse(search_json(rate));
    EXPECT_EQ(json["schema"], "groma-send search 1");
    EXPECT_EQ(json["found"], true);
    EXPECT_EQ(json["kept_pps"], *rate.kept_pps);
    EXPECT_EQ(json["kept_bps"], *rate.kept_pps * 8000);
    EXPECT_EQ(json["missed_result"], "missed");
    EXPECT_EQ(json["trials"].size(), rate.trials.size());
    EXPECT_EQ(json["trials"][0]["asked_pps"], 1000);
    EXPECT_EQ(json["trials"][0]["total"]["sent_packets"], 10'000);
    EXPECT_EQ(json["trials"].back()["confirms"], true);
    const auto none = nlohmann::json::parse(search_json(found({})));
    EXPECT_TRUE(none["missed_pps"].is_null());
    EXPECT_TRUE(none["missed_because"].is_null());
}

}  // namespace
}  // namespace groma
