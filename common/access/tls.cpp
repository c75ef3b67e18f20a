#include "common/access/tls.hpp"

#include <openssl/err.h>
#include <openssl/rand.h>
#include <openssl/ssl.h>

#include <algorithm>
#include <boost/asio/ssl/error.hpp>
#include <memory>

#include "common/base/errors.hpp"

namespace groma {

namespace {

/// Both of SHA-256, to which the keys are bound: with and without instructions for AES.
constexpr const char* kCiphers = "TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256";
constexpr const char* kGroups = "X25519:P-256";
constexpr std::array<unsigned char, 2> kCipherOfKeys{0x13, 0x01};  // TLS_AES_128_GCM_SHA256

/// Where a connection keeps its SharedKey or KeyQuestion.
int place_of_key() {
    static const int place = SSL_get_ex_new_index(0, nullptr, nullptr, nullptr, nullptr);
    return place;
}

/// Null: there is no memory.
SSL_SESSION* session_of(SSL* connection, std::span<const std::byte, Secret::kBytes> secret) {
    const auto free_session = [](SSL_SESSION* session) { SSL_SESSION_free(session); };
    std::unique_ptr<SSL_SESSION, decltype(free_session)> session(SSL_SESSION_new(), free_session);
    const SSL_CIPHER* const cipher = SSL_CIPHER_find(connection, kCipherOfKeys.data());
    const bool made = session != nullptr and cipher != nullptr and
                      SSL_SESSION_set1_master_key(session.get(), reinterpret_cast<const unsigned char*>(secret.data()),
                                                  secret.size()) == 1 and
                      SSL_SESSION_set_cipher(session.get(), cipher) == 1 and
                      SSL_SESSION_set_protocol_version(session.get(), TLS1_3_VERSION) == 1;
    return made ? session.release() : nullptr;
}

// Called by OpenSSL; 0 ends the handshake.
int use_key(SSL* connection, const EVP_MD* /*digest*/, const unsigned char** id, std::size_t* id_size,
            SSL_SESSION** session) {
    const auto* const key = static_cast<const SharedKey*>(SSL_get_ex_data(connection, place_of_key()));
    if (key == nullptr) {
        return 0;
    }
    *session = session_of(connection, key->secret.bytes());
    *id = reinterpret_cast<const unsigned char*>(key->id.data());
    *id_size = key->id.size();
    return *session != nullptr ? 1 : 0;
}

// The same. An id that is unknown gets a secret that nobody has: it fails as a wrong one does.
int find_key(SSL* connection, const unsigned char* id, std::size_t id_size, SSL_SESSION** session) {
    auto* const question = static_cast<KeyQuestion*>(SSL_get_ex_data(connection, place_of_key()));
    std::array<std::byte, Secret::kBytes> nobodys{};
    if (question == nullptr or
        RAND_bytes(reinterpret_cast<unsigned char*>(nobodys.data()), static_cast<int>(nobodys.size())) != 1) {
        return 0;
    }
    Secret secret(nobodys);
    if (Token token{}; id_size == token.size()) {
        std::ranges::copy(std::as_bytes(std::span(id, id_size)), token.begin());
        question->id = token;
        secret = question->secret_of(token).value_or(secret);
    }
    *session = session_of(connection, secret.bytes());
    return *session != nullptr ? 1 : 0;
}

boost::asio::ssl::context make_context(TlsEnd end) {
    using boost::asio::ssl::context;
    context made(end == TlsEnd::client ? context::tls_client : context::tls_server);
    SSL_CTX* const settings = made.native_handle();
    const bool done = SSL_CTX_set_min_proto_version(settings, TLS1_3_VERSION) == 1 and
                      SSL_CTX_set_max_proto_version(settings, TLS1_3_VERSION) == 1 and
                      SSL_CTX_set_ciphersuites(settings, kCiphers) == 1 and
                      SSL_CTX_set1_groups_list(settings, kGroups) == 1 and SSL_CTX_set_num_tickets(settings, 0) == 1 and
                      SSL_CTX_set_max_early_data(settings, 0) == 1 and
                      SSL_CTX_set_recv_max_early_data(settings, 0) == 1;
    if (not done) {
        throw RunError(
            "OpenSSL on this host does not offer TLS 1.3 with a pre-shared key, AES-128-GCM and X25519: look at "
            "its configuration (openssl version -d)");
    }
    SSL_CTX_set_session_cache_mode(settings, SSL_SESS_CACHE_OFF);
    SSL_CTX_set_options(settings, SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION);
    if (end == TlsEnd::client) {
        SSL_CTX_set_verify(settings, SSL_VERIFY_PEER, nullptr);  // a certificate in place of the key proves nothing
        SSL_CTX_set_psk_use_session_callback(settings, &use_key);
    } else {
        SSL_CTX_set_psk_find_session_callback(settings, &find_key);
    }
    return made;
}

/// The peer's alert.
bool is_alert(const boost::system::error_code& error) {
    // OpenSSL's reasons are the alerts from 1000 on (SSL_AD_REASON_OFFSET).
    constexpr int kFirstAlert = SSL_AD_REASON_OFFSET;
    return error.category() == boost::asio::error::get_ssl_category() and
           ERR_GET_REASON(static_cast<unsigned long>(error.value())) >= kFirstAlert;
}

/// Bytes that are no TLS.
bool is_no_tls(const boost::system::error_code& error) {
    const auto reason = ERR_GET_REASON(static_cast<unsigned long>(error.value()));
    return error.category() == boost::asio::error::get_ssl_category() and
           (reason == SSL_R_WRONG_VERSION_NUMBER or reason == SSL_R_PACKET_LENGTH_TOO_LONG);
}

}  // namespace

boost::asio::ssl::context& tls_context(TlsEnd end) {
    static boost::asio::ssl::context client = make_context(TlsEnd::client);
    static boost::asio::ssl::context server = make_context(TlsEnd::server);
    return end == TlsEnd::client ? client : server;
}

void offer_key(SSL* connection, const SharedKey& key) {
    // OpenSSL keeps a pointer without const and hands it back; use_key() does not write to it.
    SSL_set_ex_data(connection, place_of_key(), const_cast<SharedKey*>(&key));
}

void forget_key(SSL* connection) {
    SSL_set_ex_data(connection, place_of_key(), nullptr);
}

void ask_for_key(SSL* connection, KeyQuestion& question) {
    SSL_set_ex_data(connection, place_of_key(), &question);
}

bool key_was_proved(SSL* connection) {
    return SSL_version(connection) == TLS1_3_VERSION and SSL_session_reused(connection) == 1;
}

std::string why_unproved(const boost::system::error_code& error, const OfferedKey& key, std::string_view program) {
    const std::string own = "the key '" + key.name + "'";
    if (is_alert(error)) {
        return untaken_in_words(key, program) + " (--key none then speaks in clear)";
    }
    if (is_no_tls(error)) {
        return "speaks in clear, and " + own + " is for a peer that has it: start " + std::string(program) +
               " there with --keys DIR";
    }
    const bool closed = error == boost::asio::error::eof or error == boost::asio::ssl::error::stream_truncated or
                        error == boost::asio::error::connection_reset or error == boost::asio::error::broken_pipe;
    return (closed ? "closed the connection" : "broke the connection (" + error.message() + ')') + " before " + own +
           " was compared (is " + std::string(program) + " of this release running there?)";
}

}  // namespace groma
