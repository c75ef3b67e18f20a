#include "common/shipping/datagram/datagram_opening.hpp"

#include <gtest/gtest.h>

#include <random>

#include "tests/common/shipping/datagram_keys.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using test::draws;
using test::secret_of;

constexpr MonoTime kStart{Nanos{1'000'000'000}};
const OpeningPeer kPeer{.host = {1, 2, 3}, .port = 40000};
const SharedKey kKey{.id = Token{std::byte{9}}, .secret = secret_of(0x99)};
const OpeningRules kNoKeys{};

OpeningRules rules_of(const SharedKey& key) {
    return {.needs_key = [] { return true; },
            .secret_of = [key](const Token& id) { return id == key.id ? std::optional(key.secret) : std::nullopt; }};
}

UdpOpen opened(OpeningGuard& guard, std::uint64_t nonce, MonoTime now = kStart) {
    const UdpRetry retry = guard.on_hello({nonce}, kPeer, now);
    return {.nonce = nonce,
            .issued = retry.issued,
            .token = retry.token,
            .public_key = AgreementKey(secret_of(50)).public_key()};
}
UdpOpen opened_with(OpeningGuard& guard, const SharedKey& key) {
    UdpOpen open = opened(guard, 5);
    open.id = key.id;
    open.binder = binder_of(key.secret, open);
    return open;
}

std::optional<UdpAccepted> accepted(const std::optional<OpeningGuard::Verdict>& verdict) {
    const auto* const answer = verdict ? std::get_if<UdpAccepted>(&verdict->answer) : nullptr;
    return answer != nullptr ? std::optional(*answer) : std::nullopt;
}
std::optional<OpeningRefusal> refusal(const std::optional<OpeningGuard::Verdict>& verdict) {
    const auto* const answer = verdict ? std::get_if<UdpRefused>(&verdict->answer) : nullptr;
    return answer != nullptr ? std::optional(answer->why) : std::nullopt;
}

/// A shipper that has asked a server with its token; the answer is on its way.
class Asked : public testing::Test {
protected:
    void ask(const std::optional<SharedKey>& key) {
        opening_.emplace(77, secret_of(40), key);
        const auto hello = parse_hello(opening_->next_datagram(kStart).value()).value();
        opening_->on_datagram(serialize(guard_.on_hello(hello, kPeer, kStart)));
        open_ = parse_open(opening_->next_datagram(kStart).value()).value();
    }
    std::optional<OpeningGuard::Verdict> verdict(const OpeningRules& rules) {
        return guard_.on_open(open_, kPeer, rules, kStart);
    }

    OpeningGuard guard_{draws(), {}, kStart};
    std::optional<DatagramOpening> opening_;
    UdpOpen open_;
};

TEST_F(Asked, HasAConnectionWhoseKeysBothEndsKnow) {
    for (const bool with_key : {false, true}) {
        ask(with_key ? std::optional(kKey) : std::nullopt);
        const auto answer = verdict(with_key ? rules_of(kKey) : kNoKeys);
        ASSERT_TRUE(accepted(answer));
        opening_->on_datagram(serialize(*accepted(answer)));
        ASSERT_TRUE(opening_->accepted());
        EXPECT_EQ(opening_->accepted()->connection, accepted(answer)->connection);
        EXPECT_EQ(opening_->accepted()->keys, answer->keys);
        EXPECT_FALSE(opening_->next_datagram(kStart + 10s));
        EXPECT_FALSE(opening_->unproved());
    }
}

TEST_F(Asked, HasOtherKeysEachTime) {
    ask(std::nullopt);
    const auto first = verdict(kNoKeys);
    ++open_.nonce;
    open_ = opened(guard_, open_.nonce);
    EXPECT_NE(verdict(kNoKeys)->keys, first->keys);
}

TEST_F(Asked, TakesNoConnectionOfAServerWithoutTheKey) {
    ask(kKey);
    SharedKey wrong = kKey;
    wrong.secret = secret_of(0x98);
    for (const auto& secret : {std::optional(wrong.secret), std::optional<Secret>()}) {
        const AgreementKey impostor(secret_of(60));
        UdpAccepted answer{.nonce = open_.nonce, .connection = 1, .public_key = impostor.public_key()};
        answer.proof = agree(impostor.shared_with(open_.public_key).value(), secret, open_, answer).proof;
        opening_->on_datagram(serialize(answer));
        EXPECT_FALSE(opening_->accepted());
        EXPECT_TRUE(opening_->unproved());
    }
    opening_->on_datagram(serialize(*accepted(verdict(rules_of(kKey)))));
    EXPECT_TRUE(opening_->accepted()) << "the server's own answer is still taken";
}

TEST_F(Asked, TakesNoConnectionThatWasOpenedWithoutItsKeyOnTheWay) {
    ask(kKey);
    open_.id = open_.binder = {};
    const auto answer = verdict(kNoKeys);
    ASSERT_TRUE(accepted(answer));
    opening_->on_datagram(serialize(*accepted(answer)));
    EXPECT_FALSE(opening_->accepted());
    open_ = opened(guard_, 77);
    EXPECT_EQ(refusal(verdict(rules_of(kKey))), OpeningRefusal::key_needed) << "where the server asks for one";
}

TEST_F(Asked, TakesNoAnswerWithABitThatIsAnother) {
    ask(kKey);
    const auto answer = serialize(*accepted(verdict(rules_of(kKey))));
    for (std::size_t at = 0; at < answer.size(); ++at) {
        auto changed = answer;
        changed[at] ^= std::byte{4};
        opening_->on_datagram(changed);
        EXPECT_FALSE(opening_->accepted()) << at;
    }
    opening_->on_datagram(answer);
    EXPECT_TRUE(opening_->accepted());
}

TEST_F(Asked, TakesALateAnswerToAnEarlierToken) {
    ask(kKey);
    const auto answer = serialize(*accepted(verdict(rules_of(kKey))));
    MonoTime now = opening_->next_deadline();
    while (not parse_hello(opening_->next_datagram(now).value())) {
        now = opening_->next_deadline();
    }
    opening_->on_datagram(serialize(guard_.on_hello({77}, kPeer, now)));
    EXPECT_TRUE(parse_open(opening_->next_datagram(now).value()));
    opening_->on_datagram(answer);
    EXPECT_TRUE(opening_->accepted());
}

TEST_F(Asked, GivesUpWhenItIsRefused) {
    for (const OpeningRefusal why : {OpeningRefusal::key_needed, OpeningRefusal::key_not_taken}) {
        ask(std::nullopt);
        opening_->on_datagram(serialize(UdpRefused{78, why}));
        EXPECT_FALSE(opening_->refused()) << "another's nonce";
        opening_->on_datagram(serialize(UdpRefused{77, why}));
        EXPECT_EQ(opening_->refused(), why);
        EXPECT_FALSE(opening_->next_datagram(kStart + 10s));
    }
}

TEST(DatagramOpening, AsksAgainMoreAndMoreSeldom) {
    DatagramOpening opening(77, secret_of(40));
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
        DatagramOpening opening(77, secret_of(40));
        OpeningGuard guard(draws(), {}, kStart);
        for (MonoTime now = kStart; now < kStart + 5s and not opening.accepted();
             now = std::max(now, opening.next_deadline())) {
            const auto datagram = opening.next_datagram(now).value();
            if (const auto hello = parse_hello(datagram); hello and arrives() and arrives()) {
                opening.on_datagram(serialize(guard.on_hello(*hello, kPeer, now)));
            } else if (const auto open = parse_open(datagram); open and arrives()) {
                if (const auto answer = accepted(guard.on_open(*open, kPeer, kNoKeys, now)); answer and arrives()) {
                    opening.on_datagram(serialize(*answer));
                }
            }
        }
        ASSERT_TRUE(opening.accepted()) << "attempt " << attempt;
    }
}

TEST(DatagramOpening, AsksForAnotherTokenWhenOneIsNotTaken) {
    DatagramOpening opening(77, secret_of(40));
    OpeningGuard guard(draws(), {}, kStart);
    (void)opening.next_datagram(kStart);
    opening.on_datagram(serialize(guard.on_hello({77}, kPeer, kStart)));
    bool asked_again = false;
    for (MonoTime now = kStart; now < kStart + 5s; now = opening.next_deadline()) {
        asked_again = parse_hello(opening.next_datagram(now).value()) or asked_again;
    }
    EXPECT_TRUE(asked_again);
}

TEST(DatagramOpening, BelievesAnswersToItsOwnQuestionsOnly) {
    DatagramOpening opening(77, secret_of(40));
    (void)opening.next_datagram(kStart);
    opening.on_datagram(serialize(UdpAccepted{.nonce = 77, .connection = 1}));
    opening.on_datagram(serialize(UdpRefused{.nonce = 77}));
    EXPECT_FALSE(opening.accepted() or opening.refused() or opening.unproved()) << "without a token";
    opening.on_datagram(serialize(UdpRetry{78, 1, 2}));
    EXPECT_FALSE(opening.next_datagram(kStart)) << "another's nonce";
    opening.on_datagram(serialize(UdpRetry{77, 1, 2}));
    EXPECT_TRUE(opening.next_datagram(kStart));
    opening.on_datagram(serialize(UdpAccepted{.nonce = 78, .connection = 1}));
    EXPECT_FALSE(opening.unproved()) << "another's nonce";
}

class OpeningGuardTest : public testing::Test {
protected:
    OpeningGuard guard_{draws(), {}, kStart};
};

TEST_F(OpeningGuardTest, TakesATokenFromItsOwnAddressOnly) {
    const UdpOpen open = opened(guard_, 5);
    UdpOpen changed = open;
    EXPECT_FALSE(guard_.on_open(open, {.host = {1, 2, 4}, .port = 40000}, kNoKeys, kStart));
    EXPECT_FALSE(guard_.on_open(open, {.host = {1, 2, 3}, .port = 40001}, kNoKeys, kStart));
    changed.nonce = 6;
    EXPECT_FALSE(guard_.on_open(changed, kPeer, kNoKeys, kStart));
    changed = open;
    ++changed.issued;
    EXPECT_FALSE(guard_.on_open(changed, kPeer, kNoKeys, kStart + 1s));
    EXPECT_EQ(guard_.counts().bad_tokens, 4U);
    EXPECT_TRUE(accepted(guard_.on_open(open, kPeer, kNoKeys, kStart)));
}

TEST_F(OpeningGuardTest, TakesNoOldTokenNorOneOfAnotherServer) {
    OpeningGuard other(draws(20), {}, kStart);
    EXPECT_FALSE(guard_.on_open(opened(guard_, 5), kPeer, kNoKeys, kStart + 11s));
    EXPECT_FALSE(guard_.on_open(opened(other, 5), kPeer, kNoKeys, kStart));
    EXPECT_FALSE(guard_.on_open(opened(guard_, 5, kStart + 1s), kPeer, kNoKeys, kStart)) << "of the future";
}

TEST_F(OpeningGuardTest, GivesARepeatedOpeningTheSameAnswerAndNoKeys) {
    const UdpOpen open = opened(guard_, 5);
    const auto first = guard_.on_open(open, kPeer, kNoKeys, kStart);
    const auto second = guard_.on_open(open, kPeer, kNoKeys, kStart + 9s);
    EXPECT_TRUE(first->keys);
    EXPECT_FALSE(second->keys);
    EXPECT_EQ(accepted(second), accepted(first));
    EXPECT_EQ(guard_.counts().repeats, 1U);
    EXPECT_FALSE(guard_.on_open(open, kPeer, kNoKeys, kStart + 11s)) << "by then the token is old";
}

TEST_F(OpeningGuardTest, MakesAnotherConnectionOfATokenWithAnotherKey) {
    const UdpOpen open = opened(guard_, 5);
    UdpOpen of_another = open;
    of_another.public_key = AgreementKey(secret_of(51)).public_key();
    const auto first = guard_.on_open(open, kPeer, kNoKeys, kStart);
    const auto second = guard_.on_open(of_another, kPeer, kNoKeys, kStart);
    EXPECT_TRUE(second->keys);
    EXPECT_NE(accepted(second)->connection, accepted(first)->connection);
    EXPECT_NE(accepted(second)->public_key, accepted(first)->public_key);
    EXPECT_EQ(accepted(guard_.on_open(open, kPeer, kNoKeys, kStart)), accepted(first)) << "which stays as it was";
}

TEST_F(OpeningGuardTest, RefusesAWrongAnUnknownAndAnExpiredKeyInTheSameWords) {
    UdpOpen wrong = opened_with(guard_, {.id = kKey.id, .secret = secret_of(0x98)});
    UdpOpen unknown = opened_with(guard_, {.id = Token{std::byte{8}}, .secret = kKey.secret});
    OpeningRules expired = rules_of(kKey);
    expired.secret_of = [](const Token&) { return std::nullopt; };
    for (const auto& verdict :
         {guard_.on_open(wrong, kPeer, rules_of(kKey), kStart), guard_.on_open(unknown, kPeer, rules_of(kKey), kStart),
          guard_.on_open(opened_with(guard_, kKey), kPeer, expired, kStart),
          guard_.on_open(opened_with(guard_, kKey), kPeer, kNoKeys, kStart)}) {
        EXPECT_EQ(refusal(verdict), OpeningRefusal::key_not_taken);
        EXPECT_FALSE(verdict->keys);
    }
    EXPECT_EQ(guard_.counts().refused, 4U);
    EXPECT_EQ(guard_.counts().accepted, 0U);
}

TEST_F(OpeningGuardTest, TakesNoOpeningWithABitThatIsAnother) {
    const auto open = serialize(opened_with(guard_, kKey));
    for (std::size_t at = 0; at < open.size(); ++at) {
        auto changed = open;
        changed[at] ^= std::byte{4};
        if (const auto parsed = parse_open(changed)) {
            EXPECT_FALSE(accepted(guard_.on_open(*parsed, kPeer, rules_of(kKey), kStart))) << at;
        }
    }
    EXPECT_TRUE(accepted(guard_.on_open(parse_open(open).value(), kPeer, rules_of(kKey), kStart)));
}

TEST_F(OpeningGuardTest, AsksForAKeyWhereItsRulesDo) {
    EXPECT_EQ(refusal(guard_.on_open(opened(guard_, 5), kPeer, rules_of(kKey), kStart)), OpeningRefusal::key_needed);
    OpeningRules not_of_this_peer = rules_of(kKey);
    not_of_this_peer.needs_key = [] { return false; };
    EXPECT_TRUE(accepted(guard_.on_open(opened(guard_, 5), kPeer, not_of_this_peer, kStart)));
}

TEST_F(OpeningGuardTest, AsksNothingAboutAKeyBeforeItKnowsTheToken) {
    OpeningRules rules;
    rules.needs_key = [] {
        ADD_FAILURE();
        return true;
    };
    rules.secret_of = [](const Token&) {
        ADD_FAILURE();
        return std::nullopt;
    };
    UdpOpen open = opened_with(guard_, kKey);
    ++open.token;
    EXPECT_FALSE(guard_.on_open(open, kPeer, rules, kStart));
}

TEST_F(OpeningGuardTest, DropsAnOpeningWithAPublicKeyThatMakesNoSecret) {
    UdpOpen open = opened(guard_, 5);
    open.public_key = {};
    EXPECT_FALSE(guard_.on_open(open, kPeer, kNoKeys, kStart));
    EXPECT_EQ(guard_.counts().bad_points, 1U);
    EXPECT_EQ(guard_.counts().accepted, 0U);
}

TEST(OpeningGuard, BeginsNoMoreThanItsLimit) {
    OpeningGuard guard(draws(), {.token_life = 10s, .a_second = 10, .at_once = 20}, kStart);
    int begun = 0;
    for (std::uint64_t nonce = 0; nonce < 100; ++nonce) {
        begun += guard.on_open(opened(guard, nonce), kPeer, kNoKeys, kStart) ? 1 : 0;
    }
    EXPECT_EQ(begun, 20);
    EXPECT_EQ(guard.counts().too_many, 80U);
    EXPECT_TRUE(guard.on_open(opened(guard, 200, kStart + 1s), kPeer, kNoKeys, kStart + 1s));
}

}  // namespace
}  // namespace groma
