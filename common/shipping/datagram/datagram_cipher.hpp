// What seals the datagrams of one direction of a connection: ChaCha20-Poly1305 (RFC 8439). It encrypts bytes, and
// proves that they and the header before them come from a holder of the key. Pure.
#pragma once

#include <openssl/types.h>

#include <array>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "common/access/access_key.hpp"

namespace groma {

class DatagramCipher {
public:
    static constexpr std::size_t kTagBytes = 16;
    using Nonce = std::array<std::byte, 12>;
    using Tag = std::span<std::byte, kTagBytes>;

    /// Throws: RunError if OpenSSL's configuration on this host does not allow this.
    explicit DatagramCipher(const Secret& key);

    /// In place. Requires: a nonce that this key has never encrypted with.
    void encrypt(const Nonce& nonce, std::span<const std::byte> header, std::span<std::byte> bytes, Tag tag) noexcept;

    /// Returns: the bytes, valid until the next call; nothing: they or the header are not those that were sealed.
    [[nodiscard]] std::optional<std::span<const std::byte>> decrypt(const Nonce& nonce,
                                                                    std::span<const std::byte> header,
                                                                    std::span<const std::byte> bytes,
                                                                    std::span<const std::byte, kTagBytes> tag);

private:
    struct Free {
        void operator()(EVP_CIPHER_CTX* context) const noexcept;
    };
    [[nodiscard]] bool begin(const Nonce& nonce, std::span<const std::byte> header, bool encrypts) noexcept;
    [[nodiscard]] bool process(std::span<const std::byte> from, std::byte* to) noexcept;

    std::unique_ptr<EVP_CIPHER_CTX, Free> context_;
    std::vector<std::byte> decrypted_;
};

}  // namespace groma
