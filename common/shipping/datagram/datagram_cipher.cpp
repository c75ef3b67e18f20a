#include "common/shipping/datagram/datagram_cipher.hpp"

#include <openssl/evp.h>

#include <algorithm>

#include "common/base/errors.hpp"

namespace groma {

namespace {

const unsigned char* octets_in(std::span<const std::byte> bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}

}  // namespace

void DatagramCipher::Free::operator()(EVP_CIPHER_CTX* context) const noexcept {
    EVP_CIPHER_CTX_free(context);
}

DatagramCipher::DatagramCipher(const Secret& key) : context_(EVP_CIPHER_CTX_new()) {
    check(context_ != nullptr, "there is memory for a cipher");
    if (EVP_EncryptInit_ex2(context_.get(), EVP_chacha20_poly1305(), octets_in(key.bytes()), nullptr, nullptr) != 1) {
        throw RunError(
            "OpenSSL on this host does not offer ChaCha20-Poly1305: look at its configuration (openssl version -d)");
    }
}

bool DatagramCipher::begin(const Nonce& nonce, std::span<const std::byte> header, bool encrypts) noexcept {
    int done = 0;
    return EVP_CipherInit_ex2(context_.get(), nullptr, nullptr, octets_in(nonce), encrypts ? 1 : 0, nullptr) == 1 and
           EVP_CipherUpdate(context_.get(), nullptr, &done, octets_in(header), static_cast<int>(header.size())) == 1;
}

/// To its end: false if a tag was to be compared and is another.
bool DatagramCipher::process(std::span<const std::byte> from, std::byte* to) noexcept {
    int done = 0;
    unsigned char none = 0;  // a stream cipher keeps no bytes for the end
    auto* const out = reinterpret_cast<unsigned char*>(to);
    return (from.empty() or
            EVP_CipherUpdate(context_.get(), out, &done, octets_in(from), static_cast<int>(from.size())) == 1) and
           EVP_CipherFinal_ex(context_.get(), &none, &done) == 1;
}

void DatagramCipher::encrypt(const Nonce& nonce, std::span<const std::byte> header, std::span<std::byte> bytes,
                             Tag tag) noexcept {
    const bool sealed =
        begin(nonce, header, true) and process(bytes, bytes.data()) and
        EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG, static_cast<int>(tag.size()), tag.data()) == 1;
    check(sealed, "a cipher that has its key encrypts");
}

std::optional<std::span<const std::byte>> DatagramCipher::decrypt(const Nonce& nonce, std::span<const std::byte> header,
                                                                  std::span<const std::byte> bytes,
                                                                  std::span<const std::byte, kTagBytes> tag) {
    if (decrypted_.size() < bytes.size()) {
        decrypted_.resize(bytes.size());
    }
    std::array<std::byte, kTagBytes> expected{};  // OpenSSL takes it without const
    std::ranges::copy(tag, expected.begin());
    const bool is_right = begin(nonce, header, false) and
                          EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_TAG, static_cast<int>(expected.size()),
                                              expected.data()) == 1 and
                          process(bytes, decrypted_.data());
    if (not is_right) {
        return std::nullopt;
    }
    return std::span<const std::byte>(decrypted_).first(bytes.size());
}

}  // namespace groma
