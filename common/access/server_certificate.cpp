#include "common/access/server_certificate.hpp"

#include <netinet/in.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <fstream>
#include <iterator>
#include <optional>

#include "common/access/key_files.hpp"
#include "common/base/errors.hpp"
#include "common/base/lower_case.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

constexpr const char* kCiphersOfTls12 =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:ECDHE-ECDSA-AES256-GCM-SHA384:"
    "ECDHE-RSA-AES256-GCM-SHA384:ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr std::size_t kLargestCertificates = std::size_t{256} << 10U;

template <auto Function>
struct FreedBy {
    template <typename Object>
    void operator()(Object* object) const {
        Function(object);
    }
};
using Bio = std::unique_ptr<BIO, FreedBy<BIO_free>>;
using Certificate = std::unique_ptr<X509, FreedBy<X509_free>>;
using PrivateKey = std::unique_ptr<EVP_PKEY, FreedBy<EVP_PKEY_free>>;
using Names = std::unique_ptr<GENERAL_NAMES, FreedBy<GENERAL_NAMES_free>>;

/// OpenSSL's reason for what failed just now.
std::string reason() {
    const char* const text = ERR_reason_error_string(ERR_peek_last_error());
    ERR_clear_error();
    return text == nullptr ? "no reason is known" : text;
}

std::string certificates_of(const std::filesystem::path& file, const std::string& name) {
    std::ifstream in(file, std::ios::binary);
    if (not in or not std::filesystem::is_regular_file(file)) {
        throw SystemError("read the certificate " + name, in ? EISDIR : errno);
    }
    std::string text(kLargestCertificates + 1, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    if (text.size() > kLargestCertificates) {
        throw UsageError(name + " is no certificate: it is larger than 256 KiB");
    }
    return text;
}

Bio reader_of(const std::string& text) {
    Bio bio(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())));
    check(bio != nullptr, "there is memory for a file of PEM");
    return bio;
}

/// Called by OpenSSL for a key with a passphrase: nobody is there to be asked.
int no_passphrase(char* /*buffer*/, int /*size*/, int /*writing*/, void* asked) {
    *static_cast<bool*>(asked) = true;
    return -1;
}

/// Returns: the server's.
Certificate use_certificates(SSL_CTX* context, const std::filesystem::path& file) {
    const std::string name = plain_text(file.string());
    const std::string text = certificates_of(file, name);
    const Bio bio = reader_of(text);
    Certificate own(PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr));
    if (own == nullptr) {
        throw UsageError(name + " has no certificate (" + reason() +
                         "): give a file of PEM, with the server's certificate first");
    }
    if (SSL_CTX_use_certificate(context, own.get()) != 1) {
        throw UsageError("the certificate " + name + " cannot be used: " + reason());
    }
    while (Certificate next{PEM_read_bio_X509(bio.get(), nullptr, nullptr, nullptr)}) {
        if (SSL_CTX_add1_chain_cert(context, next.get()) != 1) {
            throw UsageError("a certificate that " + name + " has after the first cannot be used: " + reason());
        }
    }
    if (ERR_GET_REASON(ERR_peek_last_error()) != PEM_R_NO_START_LINE) {
        throw UsageError("a certificate that " + name + " has after the first is damaged: " + reason());
    }
    ERR_clear_error();
    return own;
}

void use_key(SSL_CTX* context, const std::filesystem::path& file, const std::filesystem::path& certificate) {
    const std::string name = plain_text(file.string());
    std::string text = read_secret_file(file);
    const Bio bio = reader_of(text);
    bool asked = false;
    const PrivateKey key(PEM_read_bio_PrivateKey(bio.get(), nullptr, &no_passphrase, &asked));
    OPENSSL_cleanse(text.data(), text.size());
    if (key == nullptr) {
        const std::string why = reason();
        throw UsageError(asked ? "the key " + name +
                                     " has a passphrase, and nobody is there to be asked for it: give one without "
                                     "(openssl pkey -in FILE -out OTHER)"
                               : name + " has no private key (" + why + "): give a file of PEM");
    }
    if (SSL_CTX_use_PrivateKey(context, key.get()) != 1 or SSL_CTX_check_private_key(context) != 1) {
        throw UsageError("the key " + name + " is not that of the certificate " + plain_text(certificate.string()) +
                         " (" + reason() + "): give the two that were made together");
    }
}

std::optional<SocketAddress> address_of(const ASN1_OCTET_STRING* octets) {
    const auto size = static_cast<std::size_t>(ASN1_STRING_length(octets));
    const unsigned char* const bytes = ASN1_STRING_get0_data(octets);
    if (size == sizeof(in_addr)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        std::copy_n(bytes, size, reinterpret_cast<unsigned char*>(&address.sin_addr));
        return SocketAddress(reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    if (size == sizeof(in6_addr)) {
        sockaddr_in6 address{};
        address.sin6_family = AF_INET6;
        std::copy_n(bytes, size, reinterpret_cast<unsigned char*>(&address.sin6_addr));
        return SocketAddress(reinterpret_cast<const sockaddr*>(&address), sizeof address);
    }
    return std::nullopt;
}

void read_names(X509* certificate, ServerCertificate& into) {
    const Names names(
        static_cast<GENERAL_NAMES*>(X509_get_ext_d2i(certificate, NID_subject_alt_name, nullptr, nullptr)));
    const int count = names == nullptr ? 0 : sk_GENERAL_NAME_num(names.get());
    for (int i = 0; i < count; ++i) {
        const GENERAL_NAME* const name = sk_GENERAL_NAME_value(names.get(), i);
        if (name->type == GEN_DNS) {
            const auto* const text = reinterpret_cast<const char*>(ASN1_STRING_get0_data(name->d.dNSName));
            into.names.push_back(in_lower_case({text, static_cast<std::size_t>(ASN1_STRING_length(name->d.dNSName))}));
        } else if (const auto address = name->type == GEN_IPADD ? address_of(name->d.iPAddress) : std::nullopt) {
            into.addresses.push_back(*address);
        }
    }
}

std::string complaint_about(X509* certificate, const ServerCertificate& read, WallTime now) {
    auto seconds = static_cast<std::time_t>(
        std::chrono::floor<std::chrono::seconds>(std::chrono::nanoseconds(ns_since_epoch(now))).count());
    if (X509_cmp_time(X509_get0_notAfter(certificate), &seconds) < 0) {
        return "it has expired";
    }
    if (X509_cmp_time(X509_get0_notBefore(certificate), &seconds) > 0) {
        return "it is not valid yet";
    }
    return read.names.empty() and read.addresses.empty()
               ? "it names no host (subjectAltName), and the name of its subject does not count"
               : "";
}

std::shared_ptr<boost::asio::ssl::context> make_context() {
    auto made = std::make_shared<boost::asio::ssl::context>(boost::asio::ssl::context::tls_server);
    SSL_CTX* const settings = made->native_handle();
    const bool done = SSL_CTX_set_min_proto_version(settings, TLS1_2_VERSION) == 1 and
                      SSL_CTX_set_cipher_list(settings, kCiphersOfTls12) == 1 and
                      SSL_CTX_set_num_tickets(settings, 0) == 1 and SSL_CTX_set_max_early_data(settings, 0) == 1;
    if (not done) {
        throw RunError(
            "OpenSSL on this host does not offer TLS 1.2 and 1.3: look at its configuration (openssl "
            "version -d)");
    }
    SSL_CTX_set_session_cache_mode(settings, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(settings, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION | SSL_OP_NO_COMPRESSION);
    return made;
}

}  // namespace

bool ServerCertificate::names_host(std::string_view host) const {
    if (const auto address = SocketAddress::parse_literal(host)) {
        return std::ranges::any_of(addresses, [&](const SocketAddress& one) { return one.same_host(*address); });
    }
    const std::string lower = in_lower_case(host);
    const std::size_t dot = lower.find('.');
    std::string beyond;
    if (dot != std::string::npos and dot > 0) {
        beyond.append("*").append(lower, dot);
    }
    return std::ranges::any_of(names, [&](const std::string& name) { return name == lower or name == beyond; });
}

ServerCertificate read_server_certificate(const std::filesystem::path& certificate, const std::filesystem::path& key,
                                          WallTime now) {
    ERR_clear_error();
    ServerCertificate made{.context = make_context()};
    SSL_CTX* const context = made.context->native_handle();
    const Certificate own = use_certificates(context, certificate);
    use_key(context, key, certificate);
    read_names(own.get(), made);
    made.complaint = complaint_about(own.get(), made, now);
    return made;
}

}  // namespace groma
