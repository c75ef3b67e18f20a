#include "common/shipping/datagram/datagram_cipher.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string_view>

#include "tests/common/shipping/datagram_keys.hpp"

namespace groma {
namespace {

using test::bytes_of_hex;
using test::secret_of;
using Bytes = std::vector<std::byte>;

constexpr std::size_t kTagBytes = DatagramCipher::kTagBytes;

DatagramCipher::Nonce nonce_of(int last) {
    DatagramCipher::Nonce nonce{};
    nonce.back() = static_cast<std::byte>(last);
    return nonce;
}

Bytes sealed(DatagramCipher& cipher, const DatagramCipher::Nonce& nonce, const Bytes& header, Bytes bytes) {
    std::array<std::byte, kTagBytes> tag{};
    cipher.encrypt(nonce, header, bytes, tag);
    bytes.insert(bytes.end(), tag.begin(), tag.end());
    return bytes;
}

std::optional<Bytes> unsealed(DatagramCipher& cipher, const DatagramCipher::Nonce& nonce, const Bytes& header,
                              const Bytes& bytes) {
    const std::span all(bytes);
    const auto opened = cipher.decrypt(nonce, header, all.first(all.size() - kTagBytes), all.last<kTagBytes>());
    return opened ? std::optional(Bytes(opened->begin(), opened->end())) : std::nullopt;
}

// RFC 8439, 2.8.2.
TEST(DatagramCipher, IsChaCha20Poly1305) {
    DatagramCipher cipher(test::secret_of_hex("808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f"));
    const Bytes header = bytes_of_hex("50515253c0c1c2c3c4c5c6c7");
    DatagramCipher::Nonce nonce{};
    std::ranges::copy(bytes_of_hex("070000004041424344454647"), nonce.begin());
    constexpr std::string_view kText =
        "Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would "
        "be it.";
    const auto text = std::as_bytes(std::span(kText));
    const Bytes plain(text.begin(), text.end());
    const Bytes golden = bytes_of_hex(
        "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de0a9e060b"
        "2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de576d26586ce"
        "c64b61161ae10b594f09e26a7e902ecbd0600691");
    EXPECT_EQ(sealed(cipher, nonce, header, plain), golden);
    EXPECT_EQ(unsealed(cipher, nonce, header, golden), plain);
}

TEST(DatagramCipher, OpensWhatWasSealedWhateverCameBefore) {
    DatagramCipher one(secret_of(1));
    DatagramCipher other(secret_of(1));
    const Bytes header(20, std::byte{7});
    for (const std::size_t size : {0U, 1U, 63U, 16384U, 5U}) {
        const Bytes bytes(size, std::byte{9});
        const Bytes datagram = sealed(one, nonce_of(static_cast<int>(size % 256)), header, bytes);
        EXPECT_FALSE(unsealed(other, nonce_of(99), header, datagram)) << "another nonce";
        EXPECT_EQ(unsealed(other, nonce_of(static_cast<int>(size % 256)), header, datagram), bytes);
    }
}

TEST(DatagramCipher, TakesNothingThatWasChanged) {
    DatagramCipher cipher(secret_of(1));
    DatagramCipher of_another(secret_of(2));
    const Bytes header(20, std::byte{7});
    const Bytes datagram = sealed(cipher, nonce_of(1), header, Bytes(30));
    EXPECT_FALSE(unsealed(of_another, nonce_of(1), header, datagram));
    for (std::size_t at = 0; at < datagram.size(); ++at) {
        Bytes changed = datagram;
        changed[at] ^= std::byte{1};
        EXPECT_FALSE(unsealed(cipher, nonce_of(1), header, changed)) << at;
    }
    for (std::size_t at = 0; at < header.size(); ++at) {
        Bytes changed = header;
        changed[at] ^= std::byte{1};
        EXPECT_FALSE(unsealed(cipher, nonce_of(1), changed, datagram)) << at;
    }
    EXPECT_TRUE(unsealed(cipher, nonce_of(1), header, datagram)) << "all the same";
}

}  // namespace
}  // namespace groma
