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

TEST(Nearest, NamesTheWordsThatBeginLikeIt) {
    EXPECT_EQ(did_you_mean("--t", kKnown), "; did you mean '--transport' or '--threads'?");
    EXPECT_EQ(did_you_mean("--DURA", kKnown), "; did you mean '--duration'?");
    EXPECT_EQ(did_you_mean("--", kKnown), "");
    constexpr std::array<std::string_view, 11> kMany{"voice-01", "voice-02", "voice-03", "voice-04",
                                                     "voice-05", "voice-06", "voice-07", "voice-08",
                                                     "voice-09", "voice-10", "telnet"};
    EXPECT_EQ(did_you_mean("voice", kMany),
              "; did you mean 'voice-01', 'voice-02', 'voice-03', 'voice-04', 'voice-05', 'voice-06', 'voice-07', "
              "'voice-08' or 2 more?");
}

}  // namespace
}  // namespace groma
