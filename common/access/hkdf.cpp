#include "common/access/hkdf.hpp"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <array>
#include <memory>
#include <string>

#include "common/base/errors.hpp"

namespace groma {

namespace {

// The library does not write to it, though its types say so.
OSSL_PARAM octets(const char* name, std::span<const std::byte> bytes) {
    return OSSL_PARAM_construct_octet_string(name, const_cast<std::byte*>(bytes.data()), bytes.size());
}

}  // namespace

void hkdf_sha256(std::span<const std::byte> secret, std::span<const std::byte> salt, std::string_view info,
                 std::span<std::byte> out) {
    const auto free_kdf = [](EVP_KDF* kdf) { EVP_KDF_free(kdf); };
    const auto free_context = [](EVP_KDF_CTX* context) { EVP_KDF_CTX_free(context); };
    const std::unique_ptr<EVP_KDF, decltype(free_kdf)> kdf(EVP_KDF_fetch(nullptr, "HKDF", nullptr), free_kdf);
    check(kdf != nullptr, "OpenSSL has HKDF");
    const std::unique_ptr<EVP_KDF_CTX, decltype(free_context)> context(EVP_KDF_CTX_new(kdf.get()), free_context);
    check(context != nullptr, "there is memory for a key");
    std::string digest = "SHA256";
    const OSSL_PARAM end = OSSL_PARAM_construct_end();
    const std::array<OSSL_PARAM, 5> settings{OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest.data(), 0),
                                             octets(OSSL_KDF_PARAM_KEY, secret),
                                             octets(OSSL_KDF_PARAM_INFO, std::as_bytes(std::span(info))),
                                             salt.empty() ? end : octets(OSSL_KDF_PARAM_SALT, salt), end};
    const int done =
        EVP_KDF_derive(context.get(), reinterpret_cast<unsigned char*>(out.data()), out.size(), settings.data());
    check(done == 1, "HKDF gives a key of any secret");
}

}  // namespace groma
