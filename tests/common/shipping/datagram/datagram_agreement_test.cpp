#include "common/shipping/datagram/datagram_agreement.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/common/shipping/datagram_keys.hpp"

namespace groma {
namespace {

using test::bytes_of_hex;
using test::secret_of;
using test::secret_of_hex;

// RFC 7748, 6.1.
const Secret kAlice = secret_of_hex("77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a");
const Secret kBob = secret_of_hex("5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb");
const Secret kShared = secret_of_hex("4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742");

UdpOpen opening() {
    return {.nonce = 1, .issued = 2, .token = 3, .public_key = AgreementKey(kAlice).public_key()};
}
UdpAccepted acceptance() {
    return {.nonce = 1, .connection = 7, .public_key = AgreementKey(kBob).public_key()};
}

TEST(AgreementKey, IsX25519) {
    const AgreementKey alice(kAlice);
    const AgreementKey bob(kBob);
    EXPECT_TRUE(std::ranges::equal(alice.public_key(),
                                   bytes_of_hex("8520f0098930a754748b7ddcb43ef75a0dbf3a0d26381af4eba4a98eaa9b4e6a")));
    EXPECT_EQ(alice.shared_with(bob.public_key()), kShared);
    EXPECT_EQ(bob.shared_with(alice.public_key()), kShared);
}

// The points of small order that are 0, 1 and p - 1 (https://cr.yp.to/ecdh.html).
TEST(AgreementKey, SharesNothingWithAKeyThatGivesEveryoneTheSame) {
    const AgreementKey alice(kAlice);
    PublicKey bad{};
    EXPECT_FALSE(alice.shared_with(bad));
    bad.front() = std::byte{1};
    EXPECT_FALSE(alice.shared_with(bad));
    bad.fill(std::byte{0xff});
    bad.front() = std::byte{0xec};
    bad.back() = std::byte{0x7f};
    EXPECT_FALSE(alice.shared_with(bad));
}

// Computed by another program from docs/reference/log-udp.md.
TEST(Agreement, TheKeysAreThoseOfTheDocument) {
    const Agreement agreement = agree(kShared, std::nullopt, opening(), acceptance());
    EXPECT_EQ(agreement.keys.from_shipper,
              secret_of_hex("2cfc2b8b69d936c5369c00f08c9904b19409c3d4bd9b288524c6b275ebe9f072"));
    EXPECT_EQ(agreement.keys.from_server,
              secret_of_hex("1051802f59f2de12bd6f6e2e1cff3ef400385849c1633c0def89f422889ed66c"));
    EXPECT_EQ(to_hex(agreement.proof), "73b8ba5cef3858be9ea983904373bc1c");
}

TEST(Agreement, TheKeysOfThoseThatHaveASecretAreThoseOfTheDocument) {
    UdpOpen open = opening();
    open.id.fill(std::byte{0xaa});
    open.binder = binder_of(secret_of(0x55), open);
    EXPECT_EQ(to_hex(open.binder), "6185488c8a5a526b438a5b03b3b190a4");
    const Agreement agreement = agree(kShared, secret_of(0x55), open, acceptance());
    EXPECT_EQ(agreement.keys.from_shipper,
              secret_of_hex("a0cec6738e9003de2538f2d3b9c256d33037be7f718a9977cebd11c9383dbf8b"));
    EXPECT_EQ(agreement.keys.from_server,
              secret_of_hex("68086ef509e3b225e7529b28677ac828ce901824fbe8a079eb1ab3037ed1ae45"));
    EXPECT_EQ(to_hex(agreement.proof), "9fad3078dd66d3d103878523cb360c54");
}

TEST(Agreement, DependsOnEachFieldAndOnEachSecret) {
    const Token proof = agree(kShared, std::nullopt, opening(), acceptance()).proof;
    EXPECT_NE(agree(secret_of(1), std::nullopt, opening(), acceptance()).proof, proof);
    EXPECT_NE(agree(kShared, secret_of(1), opening(), acceptance()).proof, proof);
    const auto question = serialize(opening());
    for (std::size_t at = 4; at < question.size(); ++at) {
        auto changed = question;
        changed[at] ^= std::byte{1};
        if (const auto open = parse_open(changed)) {  // there is no binder without an id
            EXPECT_NE(agree(kShared, std::nullopt, *open, acceptance()).proof, proof) << at;
        }
    }
    const auto answer = serialize(acceptance());
    for (std::size_t at = 4; at < answer.size() - sizeof(Token); ++at) {
        auto changed = answer;
        changed[at] ^= std::byte{1};
        EXPECT_NE(agree(kShared, std::nullopt, opening(), parse_accepted(changed).value()).proof, proof) << at;
    }
}

TEST(Agreement, ABinderDependsOnEachFieldAndOnTheSecret) {
    UdpOpen open = opening();
    open.id.fill(std::byte{0xaa});
    const Token binder = binder_of(secret_of(0x55), open);
    EXPECT_NE(binder_of(secret_of(0x56), open), binder);
    const auto question = serialize(open);
    for (std::size_t at = 4; at < question.size() - sizeof(Token); ++at) {
        auto changed = question;
        changed[at] ^= std::byte{1};
        EXPECT_NE(binder_of(secret_of(0x55), parse_open(changed).value()), binder) << at;
    }
}

}  // namespace
}  // namespace groma
