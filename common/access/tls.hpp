// TLS 1.3 with an external pre-shared key (RFC 8446, 2.2 and 4.2.11): psk_dhe_ke, so that what was recorded stays
// secret when a key is lost later; no certificates, no tickets, no early data. A server answers a wrong key and an
// unknown id with the same alert, before it reads a byte of ours.
#pragma once

#include <openssl/types.h>

#include <boost/asio/ssl/context.hpp>
#include <boost/system/error_code.hpp>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "common/access/access_key.hpp"

namespace groma {

/// Of a connection, before a byte of ours: a record with a handshake. Messages of ours begin with a length below 2^28,
/// requests of HTTP with a letter.
inline constexpr char kFirstByteOfTls = 0x16;

enum class TlsEnd : std::uint8_t { client, server };

/// Made once, for all connections and threads. Throws: RunError if OpenSSL's configuration on this host does not allow
/// this.
[[nodiscard]] boost::asio::ssl::context& tls_context(TlsEnd end);

/// What a server is asked in a handshake.
struct KeyQuestion {
    std::function<std::optional<Secret>(const Token& id)> secret_of;  ///< nothing: there is no such key
    std::optional<Token> id{};                                        ///< that the client gave, once it has
};

/// For a connection of a context for clients; the key outlives the handshake.
void offer_key(SSL* connection, const SharedKey& key);
/// For a connection of a context for servers; the question outlives the handshake.
void ask_for_key(SSL* connection, KeyQuestion& question);

/// After a handshake: neither is looked at any more.
void forget_key(SSL* connection);

/// After a handshake: whether both sides have proved the key.
[[nodiscard]] bool key_was_proved(SSL* connection);

/// What a peer that runs `program` did with a key, by the error of the handshake: "does not take the key ...".
[[nodiscard]] std::string why_unproved(const boost::system::error_code& error, const OfferedKey& key,
                                       std::string_view program);

}  // namespace groma
