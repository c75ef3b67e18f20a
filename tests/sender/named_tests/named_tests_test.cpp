#include "sender/named_tests/named_tests.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <string>

#include "common/base/errors.hpp"
#include "common/model/experiment/experiment.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::HasSubstr;

std::string refused_test(std::string_view name, std::string_view receiver = "") {
    try {
        static_cast<void>(named_test_text(name, receiver));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(NamedTests, AreExperimentFilesThatRunAsTheyAre) {
    for (const NamedTest& test : named_tests()) {
        const Experiment experiment = parse_experiment(test.text, std::string(test.name), {}, 1);
        EXPECT_EQ(experiment.name, test.name);
        EXPECT_FALSE(experiment.flows.empty());
        for (const FlowSpec& flow : experiment.flows) {
            EXPECT_EQ(flow.target.host, "127.0.0.1");
        }
    }
}

TEST(NamedTests, GoToTheReceiverThatIsNamed) {
    for (const NamedTest& test : named_tests()) {
        const Experiment experiment = parse_experiment(named_test_text(test.name, "[fd00::1]:9100"), "", {}, 1);
        for (const FlowSpec& flow : experiment.flows) {
            EXPECT_EQ(flow.target.host, "fd00::1") << test.name;
            EXPECT_EQ(flow.target.control_port, 9100) << test.name;
        }
    }
    EXPECT_THAT(refused_test("voip", "10.0.0.1\"\nname = \"x"), HasSubstr("does not name a host"));
    EXPECT_THAT(refused_test("voip", "alpha,beta"), HasSubstr("does not name a host"));
}

TEST(NamedTests, AWrongNameListsAllOfThem) {
    EXPECT_THAT(refused_test("voib"), AllOf(HasSubstr("did you mean 'voip'?"), HasSubstr("\n  imix  "),
                                            HasSubstr("\n  latency-under-load  "), HasSubstr("\n  ramp  ")));
    EXPECT_THAT(refused_test("\x1b[31m"), testing::Not(HasSubstr("\x1b")));
}

TEST(NamedTests, AreListedInALineEachThatFitsATerminal) {
    std::istringstream list(list_of_named_tests());
    std::size_t lines = 0;
    for (std::string line; std::getline(list, line); ++lines) {
        EXPECT_LE(line.size(), 100U) << line;
        EXPECT_TRUE(line.ends_with('.') or line.ends_with('?')) << line;
    }
    EXPECT_EQ(lines, named_tests().size());
}

TEST(NamedTests, TheInternetMixHasItsSizesOnTheWireAtItsRate) {
    const auto mix = std::ranges::find(named_tests(), "imix", &NamedTest::name);
    const FlowSpec flow = parse_experiment(mix->text, "", {}, 1).flows.front();
    constexpr double kHeaders = 20 + 8;  // IPv4, UDP
    EXPECT_EQ(flow.size, Distribution(Discrete{{40 - kHeaders, 576 - kHeaders, 1500 - kHeaders}, {7, 4, 1}}));
    const double mean_packet = (7 * 40 + 4 * 576 + 1500) / 12.0;
    EXPECT_NEAR(8e9 * mean_packet / std::get<Constant>(flow.idt).value, 10e6, 0.01e6);
}

}  // namespace
}  // namespace groma
