#include "common/model/experiment/requirement.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

std::string complaint(std::string_view text) {
    try {
        (void)parse_requirements(text);
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

TEST(Requirement, EveryFigureHasItsRow) {
    for (std::size_t i = 0; i < required_figures().size(); ++i) {
        EXPECT_EQ(static_cast<std::size_t>(required_figures()[i].figure), i);
        EXPECT_EQ(&row_of(required_figures()[i].figure), &required_figures()[i]);
    }
    EXPECT_EQ(required_figures().back().figure, RequiredFigure::rtt_max);
}

TEST(Requirement, IsReadWithItsUnit) {
    const auto all = parse_requirements(
        "rate=0.1%, lateness-p99=20us,lambda2=0.01,loss=0,behind=1ms,batched=0.5,jitter=2us,rtt-p50=3ns");
    const std::vector<Requirement> expected{
        {RequiredFigure::rate, 0.001},   {RequiredFigure::lateness_p99, 20'000}, {RequiredFigure::lambda2, 0.01},
        {RequiredFigure::loss, 0},       {RequiredFigure::behind, 1'000'000},    {RequiredFigure::batched, 0.5},
        {RequiredFigure::jitter, 2'000}, {RequiredFigure::rtt_p50, 3},
    };
    EXPECT_EQ(all, expected);
}

TEST(Requirement, ItsTextIsReadBack) {
    const auto all = parse_requirements("rate=0.05%,gap-p99.9=1.5us,ks=0.02,missed=0,unsent=3,lateness-max=2ms");
    EXPECT_EQ(parse_requirements(to_string(all)), all);
    EXPECT_EQ(to_string(all), "rate=5e-04,gap-p99.9=1.5us,ks=0.02,missed=0,unsent=3,lateness-max=2ms");
    EXPECT_EQ(to_string(std::vector<Requirement>{}), "");
}

TEST(Requirement, SaysWhatIsWrong) {
    EXPECT_THAT(complaint("latenes-p99=20us"), HasSubstr("did you mean 'lateness-p99'"));
    EXPECT_THAT(complaint("speed=1"), HasSubstr("lambda2"));
    EXPECT_THAT(complaint("rate"), HasSubstr("FIGURE=LIMIT"));
    EXPECT_THAT(complaint(""), HasSubstr("FIGURE=LIMIT"));
    EXPECT_THAT(complaint("lateness-p99=20"), HasSubstr("lateness-p99: "));
    EXPECT_THAT(complaint("rate=fast"), HasSubstr("rate: "));
    EXPECT_THAT(complaint("lambda2=1%"), HasSubstr("lambda2: "));
    EXPECT_THAT(complaint("loss=150%"), HasSubstr("loss: '150%' is more than all: use at most 100%"));
    EXPECT_THAT(complaint("batched=5"), HasSubstr("batched: '5' is more than all: use at most 100%"));
    EXPECT_EQ(complaint("loss=100%,batched=100%,lambda2=5,rate=150%"), "");
    EXPECT_THAT(complaint("loss=1"), HasSubstr("'1' is all: use at most 100%, such as 1% or 0.01"));
    EXPECT_THAT(complaint("loss=0,loss=1%"), HasSubstr("'loss' is there twice"));
}

TEST(Requirement, QuotesWhatIsWrongAsItCanBeShown) {
    EXPECT_THAT(complaint("la\x1b[2Jst=1"), HasSubstr("'la\\x1b[2Jst' is not a figure"));
    EXPECT_THAT(complaint("\xffrate"), HasSubstr("'\\xffrate' is not a requirement"));
    EXPECT_LT(complaint(std::string(10'000, 'x')).size(), 1000U);
}

}  // namespace
}  // namespace groma
