#include "common/model/families/simple_distribution.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "common/model/families/family_text.hpp"

namespace groma {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;

SimpleDistribution gaps_of(std::string_view text) {
    const NamedFiles none;
    return parse_simple({.kind = DrawnKind::gap, .files = none, .family = "ignored", .text = text});
}

std::string family_refusal(std::string_view text) {
    try {
        static_cast<void>(gaps_of(text));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

// Messages have the number of the family in this order.
TEST(SimpleDistribution, HasTheFamiliesInTheOrderOfMessages) {
    EXPECT_THAT(kNamesOf<SimpleDistribution>,
                ElementsAre("const", "unif", "exp", "normal", "poisson", "pareto", "cauchy", "gamma", "weibull",
                            "lognormal", "student", "discrete", "file"));
}

TEST(SimpleDistribution, IsTheFamilyBeforeTheColonOrAConstant) {
    EXPECT_EQ(gaps_of("unif:1ms:2ms"), SimpleDistribution(Uniform{1e6, 2e6}));
    EXPECT_EQ(gaps_of("const:2ms"), SimpleDistribution(Constant{2e6}));
    EXPECT_EQ(gaps_of("2ms"), SimpleDistribution(Constant{2e6}));
    EXPECT_EQ(gaps_of(".5ms"), SimpleDistribution(Constant{5e5}));
}

TEST(SimpleDistribution, AMixtureIsNone) {
    EXPECT_EQ(family_refusal("mix:0.5*1ms"), "a 'mix' cannot be a component of another");
}

TEST(SimpleDistribution, AnUnknownFamilyIsRefusedWithTheNamesOfAll) {
    EXPECT_EQ(family_refusal("expo:1ms"),
              "there is no distribution 'expo'; did you mean 'exp'? (there are: const unif exp normal poisson pareto "
              "cauchy gamma weibull lognormal student discrete file mix max)");
    EXPECT_EQ(family_refusal("exp"), "'exp' needs one value: exp:MEAN");
    EXPECT_THAT(family_refusal(""), HasSubstr("there is no distribution ''"));
    EXPECT_THAT(family_refusal(":1ms"), EndsWith("file mix max)"));
}

}  // namespace
}  // namespace groma
