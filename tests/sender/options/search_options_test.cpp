#include "sender/options/search_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/sender/options/parsed_options.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::vector<std::string> to_beta(std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), {"--to", "beta"});
    return arguments;
}

TEST(SearchOptions, BeginWithTheFlowsOwnRateAndRequireNoLoss) {
    const SenderOptions options = options_from(to_beta({"--search", "rate", "--rate", "2kpps"}));
    EXPECT_EQ(options.action, SenderOptions::Action::search);
    ASSERT_TRUE(options.search);
    EXPECT_DOUBLE_EQ(options.search->first_pps, 2000);
    EXPECT_DOUBLE_EQ(options.search->lowest_pps, 2);
    EXPECT_DOUBLE_EQ(options.search->highest_pps, 2e6);
    EXPECT_EQ(options.search->resolution, 0.01);
    EXPECT_EQ(options.search->confirmations, 2U);
    EXPECT_EQ(to_string(options.experiment.required), "loss=0");
    EXPECT_EQ(options.experiment.flows.at(0).stop.duration, kUsualTrial);
    EXPECT_TRUE(options.warnings.empty());
}

TEST(SearchOptions, SayWhereToSearchAndHowLong) {
    const SenderOptions options =
        options_from(to_beta({"--search", "rate", "--search-from", "8Mbps", "--search-to", "4kpps",
                              "--search-resolution", "5%", "--search-confirm", "0", "--size", "1000", "--flows", "2",
                              "--require", "delay-p99=1ms,loss=1%", "--duration", "1min"}));
    EXPECT_DOUBLE_EQ(options.search->lowest_pps, 1000);
    EXPECT_DOUBLE_EQ(options.search->first_pps, 2000) << "two flows of 1000 pps";
    EXPECT_DOUBLE_EQ(options.search->highest_pps, 4000);
    EXPECT_EQ(options.search->resolution, 0.05);
    EXPECT_EQ(options.search->confirmations, 0U);
    EXPECT_EQ(to_string(options.experiment.required), "delay-p99=1ms,loss=0.01");
    EXPECT_EQ(options.experiment.flows.at(1).stop.duration, std::chrono::minutes(1));
}

TEST(SearchOptions, BeginBetweenTheirBounds) {
    EXPECT_DOUBLE_EQ(options_from(to_beta({"--search", "rate", "--search-from", "5kpps"})).search->first_pps, 5000);
    EXPECT_DOUBLE_EQ(options_from(to_beta({"--search", "rate", "--search-to", "50pps"})).search->first_pps, 50);
}

TEST(SearchOptions, AreOfNoUseAlone) {
    EXPECT_THAT(
        usage_complaint(to_beta({"--search-from", "1kpps", "--search-confirm", "3"})),
        AllOf(HasSubstr("--search-from requires --search rate"), HasSubstr("--search-confirm requires --search rate")));
}

TEST(SearchOptions, RefuseWhatCannotBeSearched) {
    const auto why = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"--search", "rate"});
        return usage_complaint(to_beta(more));
    };
    EXPECT_THAT(usage_complaint(to_beta({"--search", "size"})),
                HasSubstr("--search: 'size' cannot be searched: use rate"));
    EXPECT_THAT(why({"--idt", "max"}), HasSubstr("flow 'flow': it goes without a schedule"));
    EXPECT_THAT(why({"--request", "100"}), HasSubstr("requests that wait for their responses"));
    EXPECT_THAT(why({"--rate", "ramp:1Mbps:2Mbps:3s"}), HasSubstr("its rate changes with time"));
    EXPECT_THAT(why({"--idt", "cauchy:1ms:1ms"}), HasSubstr("no mean"));
    EXPECT_THAT(why({"--reverse"}), HasSubstr("leave out --reverse and --bidir"));
    EXPECT_THAT(why({"--search-from", "5kpps", "--search-to", "4kpps"}),
                HasSubstr("--search-from is above --search-to"));
    EXPECT_THAT(why({"--search-resolution", "0"}), HasSubstr("0.01% to 100%"));
    EXPECT_THAT(why({"--search-confirm", "101"}), HasSubstr("--search-confirm"));
}

TEST(SearchOptions, RefuseWhatIsOfOneRun) {
    const std::string why =
        usage_complaint(to_beta({"--search", "rate", "--log", "send.glog", "--logs", "run", "--interval", "1s",
                                 "--verbose", "--metrics", "9100", "--signal-line", "/dev/ttyS0"}));
    for (const char* option : {"--log", "--logs"}) {
        EXPECT_THAT(why, HasSubstr(std::string(option) + " is about the logs of a run"));
    }
    for (const char* option : {"--interval", "--verbose", "--metrics", "--signal-line"}) {
        EXPECT_THAT(why, HasSubstr(std::string(option) + " is for a single run"));
    }
}

}  // namespace
}  // namespace groma
