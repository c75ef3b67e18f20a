#include "common/base/nearest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

namespace groma {
namespace {

constexpr std::array<std::string_view, 4> kKnown{"--duration", "--transport", "--threads", "--size"};

TEST(Nearest, FindsTheWordThatATypingErrorCameFrom) {
    EXPECT_EQ(nearest("--durration", kKnown), "--duration");
    EXPECT_EQ(nearest("--trasnport", kKnown), "--transport");
    EXPECT_EQ(nearest("--Size", kKnown), "--size");
}

TEST(Nearest, MakesNoFarFetchedGuess) {
    EXPECT_EQ(nearest("--verbose", kKnown), std::nullopt);
    EXPECT_EQ(nearest("", kKnown), std::nullopt);
    EXPECT_EQ(nearest(std::string(400, 'x'), kKnown), std::nullopt);
}

TEST(Nearest, CountsASwapOfNeighboursAsOneError) {
    EXPECT_EQ(edit_distance("siez", "size"), 1U);
    EXPECT_EQ(edit_distance("", "size"), 4U);
    EXPECT_EQ(edit_distance("size", "size"), 0U);
}

TEST(Nearest, AsksAQuestionThatCanFollowAMessage) {
    EXPECT_EQ(did_you_mean("--sise", kKnown), "; did you mean '--size'?");
    EXPECT_EQ(did_you_mean("--verbose", kKnown), "");
    constexpr std::array<std::string_view, 1> kAlias{"al\npha"};
    EXPECT_EQ(did_you_mean("alpha", kAlias), "; did you mean 'al\\x0apha'?");
}

}  // namespace
}  // namespace groma
