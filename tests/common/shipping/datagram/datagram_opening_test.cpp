#include "common/shipping/datagram/datagram_opening.hpp"

#include <gtest/gtest.h>

#include <random>

namespace groma {
namespace {

using namespace std::chrono_literals;

constexpr MacKey kSecret{.low = 1, .high = 2};
constexpr MonoTime kStart{Nanos{1'000'000'000}};
const OpeningPeer kPeer{.host = {1, 2, 3}, .port = 40000};

UdpOpen opened(OpeningGuard& guard, std::uint64_t nonce, MonoTime now = kStart) {
    const UdpRetry retry = guard.on_hello({nonce}, kPeer, now);
    return {nonce, retry.issued, retry.token};
}

TEST(DatagramOpening, EndsInAConnectionThatBothEndsKnow) {
    DatagramOpening opening(77);
    OpeningGuard guard(kSecret, {}, kStart);
    const auto hello = parse_hello(opening.next_datagram(kStart).value()).value();
    opening.on_datagram(serialize(guard.on_hello(hello, kPeer, kStart)));
    const auto open = parse_open(opening.next_datagram(kStart).value()).value();
    const auto verdict = guard.on_open(open, kPeer, kStart).value();
    EXPECT_TRUE(verdict.is_new);
    opening.on_datagram(serialize(verdict.accepted));
    EXPECT_EQ(opening.accepted(), verdict.accepted);
    EXPECT_FALSE(opening.next_datagram(kStart + 10s));
}

TEST(DatagramOpening, AsksAgainMoreAndMoreSeldom) {
    DatagramOpening opening(77);
    int asked = 0;
    for (MonoTime now = kStart; now < kStart + 5s; now = std::max(now + 1ns, opening.next_deadline())) {
        asked += opening.next_datagram(now) ? 1 : 0;
    }
    EXPECT_GE(asked, 20);
    EXPECT_LE(asked, 30);
}

// An attempt has 5 s (udp_link.cpp).
TEST(DatagramOpening, SucceedsOnAPathThatLosesThirtyPercentEachWay) {
    std::mt19937_64 random(7);
    const auto arrives = [&random] { return std::uniform_real_distribution<>(0, 1)(random) >= 0.3; };
    for (int attempt = 0; attempt < 20000; ++attempt) {
        DatagramOpening opening(77);
        OpeningGuard guard(kSecret, {}, kStart);
        for (MonoTime now = kStart; now < kStart + 5s and not opening.accepted();
             now = std::max(now, opening.next_deadline())) {
            const auto datagram = opening.next_datagram(now).value();
            if (const auto hello = parse_hello(datagram); hello and arrives() and arrives()) {
                opening.on_datagram(serialize(guard.on_hello(*hello, kPeer, now)));
            } else if (const auto open = parse_open(datagram); open and arrives()) {
                if (const auto verdict = guard.on_open(*open, kPeer, now); verdict and arrives()) {
                    opening.on_datagram(serialize(verdict->accepted));
                }
            }
        }
        ASSERT_TRUE(opening.accepted()) << "attempt " << attempt;
    }
}

TEST(DatagramOpening, AsksForAnotherTokenWhenOneIsNotTaken) {
    DatagramOpening opening(77);
    OpeningGuard guard(kSecret, {}, kStart);
    (void)opening.next_datagram(kStart);
    opening.on_datagram(serialize(guard.on_hello({77}, kPeer, kStart)));
    bool asked_again = false;
    for (MonoTime now = kStart; now < kStart + 5s; now = opening.next_deadline()) {
        asked_again = parse_hello(opening.next_datagram(now).value()) or asked_again;
    }
    EXPECT_TRUE(asked_again);
}

TEST(DatagramOpening, BelievesAnswersToItsOwnQuestionsOnly) {
    DatagramOpening opening(77);
    (void)opening.next_datagram(kStart);
    opening.on_datagram(serialize(UdpAccepted{77, 1, {}}));
    EXPECT_FALSE(opening.accepted()) << "without a token";
    opening.on_datagram(serialize(UdpRetry{78, 1, 2}));
    EXPECT_FALSE(opening.next_datagram(kStart)) << "another's nonce";
    opening.on_datagram(serialize(UdpRetry{77, 1, 2}));
    EXPECT_TRUE(opening.next_datagram(kStart));
    opening.on_datagram(serialize(UdpAccepted{78, 1, {}}));
    EXPECT_FALSE(opening.accepted()) << "another's nonce";
}

TEST(OpeningGuard, TakesATokenFromItsOwnAddressOnly) {
    OpeningGuard guard(kSecret, {}, kStart);
    const UdpOpen open = opened(guard, 5);
    EXPECT_FALSE(guard.on_open(open, {.host = {1, 2, 4}, .port = 40000}, kStart));
    EXPECT_FALSE(guard.on_open(open, {.host = {1, 2, 3}, .port = 40001}, kStart));
    EXPECT_FALSE(guard.on_open({6, open.issued, open.token}, kPeer, kStart));
    EXPECT_FALSE(guard.on_open({5, open.issued + 1, open.token}, kPeer, kStart + 1s));
    EXPECT_EQ(guard.counts().bad_tokens, 4U);
    EXPECT_TRUE(guard.on_open(open, kPeer, kStart));
}

TEST(OpeningGuard, TakesNoOldTokenNorOneOfAnotherServer) {
    OpeningGuard guard(kSecret, {}, kStart);
    OpeningGuard other({.low = 1, .high = 3}, {}, kStart);
    EXPECT_FALSE(guard.on_open(opened(guard, 5), kPeer, kStart + 11s));
    EXPECT_FALSE(guard.on_open(opened(other, 5), kPeer, kStart));
    EXPECT_FALSE(guard.on_open(opened(guard, 5, kStart + 1s), kPeer, kStart)) << "of the future";
}

TEST(OpeningGuard, KnowsAnOpeningThatIsRepeated) {
    OpeningGuard guard(kSecret, {}, kStart);
    const UdpOpen open = opened(guard, 5);
    const auto first = guard.on_open(open, kPeer, kStart);
    const auto second = guard.on_open(open, kPeer, kStart + 9s);
    EXPECT_FALSE(second->is_new);
    EXPECT_EQ(second->accepted, first->accepted);
    EXPECT_FALSE(guard.on_open(open, kPeer, kStart + 11s)) << "by then the token is old";
}

TEST(OpeningGuard, BeginsNoMoreThanItsLimit) {
    OpeningGuard guard(kSecret, {.token_life = 10s, .a_second = 10, .at_once = 20}, kStart);
    int begun = 0;
    for (std::uint64_t nonce = 0; nonce < 100; ++nonce) {
        begun += guard.on_open(opened(guard, nonce), kPeer, kStart) ? 1 : 0;
    }
    EXPECT_EQ(begun, 20);
    EXPECT_EQ(guard.counts().too_many, 80U);
    EXPECT_TRUE(guard.on_open(opened(guard, 200, kStart + 1s), kPeer, kStart + 1s));
}

}  // namespace
}  // namespace groma
