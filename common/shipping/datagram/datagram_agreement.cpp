#include "common/shipping/datagram/datagram_agreement.hpp"

#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/sha.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "common/access/hkdf.hpp"
#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr std::string_view kInfo = "groma log udp 2";

using Digest = std::array<std::byte, SHA256_DIGEST_LENGTH>;

const unsigned char* octets(std::span<const std::byte> bytes) {
    return reinterpret_cast<const unsigned char*>(bytes.data());
}
unsigned char* octets_of(std::span<std::byte> bytes) {
    return reinterpret_cast<unsigned char*>(bytes.data());
}

/// SHA-256 of what was said, less the proof at its end.
Digest transcript(const UdpOpen& open, const UdpAccepted& accepted) {
    const auto question = serialize(open);
    const auto answer = serialize(accepted);
    std::array<std::byte, question.size() + answer.size() - sizeof(Token)> said{};
    std::ranges::copy(question, said.begin());
    std::copy_n(answer.begin(), answer.size() - sizeof(Token), said.begin() + question.size());
    Digest digest{};
    ::SHA256(octets(said), said.size(), octets_of(digest));
    return digest;
}

}  // namespace

void AgreementKey::Free::operator()(EVP_PKEY* key) const noexcept {
    EVP_PKEY_free(key);
}

AgreementKey::AgreementKey(const Secret& random)
    : key_(EVP_PKEY_new_raw_private_key(EVP_PKEY_X25519, nullptr, octets(random.bytes()), random.bytes().size())) {
    std::size_t size = public_key_.size();
    if (key_ == nullptr or EVP_PKEY_get_raw_public_key(key_.get(), octets_of(public_key_), &size) != 1) {
        throw RunError("OpenSSL on this host does not offer X25519: look at its configuration (openssl version -d)");
    }
}

std::optional<Secret> AgreementKey::shared_with(const PublicKey& peer) const {
    const auto free_context = [](EVP_PKEY_CTX* context) { EVP_PKEY_CTX_free(context); };
    const std::unique_ptr<EVP_PKEY, Free> other(
        EVP_PKEY_new_raw_public_key(EVP_PKEY_X25519, nullptr, octets(peer), peer.size()));
    const std::unique_ptr<EVP_PKEY_CTX, decltype(free_context)> context(EVP_PKEY_CTX_new(key_.get(), nullptr),
                                                                        free_context);
    std::array<std::byte, Secret::kBytes> bytes{};
    std::size_t size = bytes.size();
    // It fails where all bytes would be zero (RFC 7748, 6.1).
    const bool done = other != nullptr and context != nullptr and EVP_PKEY_derive_init(context.get()) == 1 and
                      EVP_PKEY_derive_set_peer(context.get(), other.get()) == 1 and
                      EVP_PKEY_derive(context.get(), octets_of(bytes), &size) == 1 and size == bytes.size();
    if (not done) {
        return std::nullopt;
    }
    const Secret shared(bytes);
    OPENSSL_cleanse(bytes.data(), bytes.size());
    return shared;
}

Token binder_of(const Secret& secret, const UdpOpen& open) {
    const auto bytes = serialize(open);
    Digest digest{};
    ::HMAC(EVP_sha256(), secret.bytes().data(), static_cast<int>(secret.bytes().size()), octets(bytes),
           bytes.size() - sizeof(Token), octets_of(digest), nullptr);
    Token binder{};
    std::copy_n(digest.begin(), binder.size(), binder.begin());
    return binder;
}

Agreement agree(const Secret& shared, const std::optional<Secret>& secret, const UdpOpen& open,
                const UdpAccepted& accepted) {
    std::array<std::byte, 2 * Secret::kBytes> both{};
    std::ranges::copy(shared.bytes(), both.begin());
    if (secret) {
        std::ranges::copy(secret->bytes(), both.begin() + Secret::kBytes);
    }
    std::array<std::byte, 2 * Secret::kBytes + sizeof(Token)> out{};
    hkdf_sha256(both, transcript(open, accepted), kInfo, out);
    const std::span all(out);
    Agreement agreement{.keys = {.from_shipper = Secret(all.first<Secret::kBytes>()),
                                 .from_server = Secret(all.subspan<Secret::kBytes, Secret::kBytes>())}};
    std::ranges::copy(all.last<sizeof(Token)>(), agreement.proof.begin());
    OPENSSL_cleanse(both.data(), both.size());
    OPENSSL_cleanse(out.data(), out.size());
    return agreement;
}

}  // namespace groma
