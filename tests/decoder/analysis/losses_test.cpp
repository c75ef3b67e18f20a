#include "decoder/analysis/losses.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

SentFigures sent(std::uint64_t packets, bool whole = true) {
    SentFigures figures;
    figures.packets = packets;
    figures.whole = whole;
    return figures;
}

ReceivedFigures received(std::uint64_t packets, std::uint64_t duplicates, std::uint64_t next_expected) {
    ReceivedFigures figures;
    figures.packets = packets;
    figures.duplicates = duplicates;
    figures.next_expected = next_expected;
    figures.whole = true;
    return figures;
}

TEST(Loss, IsWhatWasSentLessFirstCopies) {
    EXPECT_EQ(loss_of(sent(10), received(9, 2, 10)).packets, 3U);
}

TEST(Loss, IsNeverNegative) {
    EXPECT_EQ(loss_of(sent(3), received(9, 0, 10)).packets, 0U);
}

TEST(Loss, HasALowerBoundFromTheHighestNumber) {
    const Loss loss = loss_of(std::nullopt, received(4, 0, 7));
    EXPECT_EQ(loss.packets, std::nullopt);
    EXPECT_EQ(loss.at_least, 3U);
}

TEST(Loss, OfASendersLogThatWasCutShortIsALowerBound) {
    EXPECT_EQ(loss_of(sent(8, false), received(4, 0, 7)).at_least, 4U);
}

TEST(Loss, IsUnknownWhenTheReceiversLogWasCutShort) {
    ReceivedFigures cut = received(4, 0, 7);
    cut.whole = false;
    const Loss loss = loss_of(sent(8), cut);
    EXPECT_EQ(loss.packets, std::nullopt);
    EXPECT_EQ(loss.at_least, std::nullopt);
    EXPECT_EQ(loss.unknown_because, "the receiver's log was cut short");
}

}  // namespace
}  // namespace groma
