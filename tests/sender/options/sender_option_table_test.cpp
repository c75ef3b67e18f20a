#include "sender/options/sender_option_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "common/model/distributions/distribution.hpp"
#include "common/model/experiment/requirement.hpp"
#include "common/model/flow/profiles.hpp"
#include "common/model/transport/transport.hpp"
#include "sender/named_tests/named_tests.hpp"
#include "sender/options/option_rows.hpp"
#include "tests/documented.hpp"

namespace groma {
namespace {

using testing::Contains;
using testing::Not;

TEST(SenderOptionTable, IsInTheHelpAndInTheManPage) {
    expect_documented(sender_option_table(), GROMA_TEST_DATA);
}

TEST(SenderOptionTable, KnowsWhatElseTakesAnOption) {
    EXPECT_THAT(sender_options(option_use::of_flow), Contains("--congestion"));
    EXPECT_THAT(sender_options(option_use::of_flow), Not(Contains("--start-spread")));
    EXPECT_THAT(sender_options(option_use::of_daemon | option_use::with_daemon), Contains("--timeout"));
    EXPECT_THAT(sender_options_without(option_use::of_daemon | option_use::with_daemon), Not(Contains("--timeout")));
    EXPECT_THAT(sender_options_without(option_use::of_daemon), Contains("--timeout"));
}

TEST(SenderOptionTable, CompletesInShells) {
    std::vector<std::string> families = named_words(kNamesOf<SimpleDistribution>, std::identity(), ":");
    families.push_back(std::string(Mixture::kName) + ':');
    families.emplace_back(Greedy::kName);
    std::vector<std::string> tests = named_words(named_tests(), &NamedTest::name);
    tests.emplace_back("list");
    expect_completed(
        {.table = sender_option_table(),
         .words = {{"DISTRIBUTION", std::move(families)},
                   {"--transport", named_words(kTransports, &TransportTraits::name)},
                   {"--profile", named_words(profiles(), &Profile::name)},
                   {"--test", std::move(tests)},
                   {"--payload", {"random", "zero", "pattern:", "file:", "pcap:"}},
                   {"--rate", {"ramp:", "steps:", "file:"}},
                   {"FIGURE=LIMIT[,...]", named_words(required_figures(), &RequiredFigureRow::word, "=")}}},
        GROMA_TEST_DATA);
}

}  // namespace
}  // namespace groma
