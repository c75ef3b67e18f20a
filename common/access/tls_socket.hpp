// TLS on a connected socket that does not block, as the side that has connected: for loops that poll. It reads and
// writes as recv() and send() do.
#pragma once

#include <openssl/types.h>
#include <sys/types.h>

#include <boost/system/error_code.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "common/access/access_key.hpp"

namespace groma {

class TlsSocket {
public:
    /// The socket outlives it. Throws: RunError, as tls_context().
    TlsSocket(int socket, const SharedKey& key);
    TlsSocket(const TlsSocket&) = delete;
    TlsSocket& operator=(const TlsSocket&) = delete;
    ~TlsSocket() = default;

    /// Goes on with the handshake. Returns: nothing while there is more of it, after events(); no error once both sides
    /// have proved the key.
    [[nodiscard]] std::optional<boost::system::error_code> shake_hands();

    /// Returns: the bytes that were moved; 0: the end of what the peer sends; -1 with errno: EAGAIN, EPROTO, ...
    [[nodiscard]] ssize_t receive(std::span<std::byte> space);
    [[nodiscard]] ssize_t send(std::span<const std::byte> bytes);

    /// What poll() is to await besides POLLIN for the last call to be tried again.
    [[nodiscard]] short events() const { return events_; }
    /// receive() has bytes, though poll() may not say so.
    [[nodiscard]] bool has_more() const;

private:
    struct Free {
        void operator()(SSL* connection) const;
    };
    /// Of a call that returned less than 1: as recv() and send() tell it.
    [[nodiscard]] ssize_t failed(int result);

    SharedKey key_;
    std::unique_ptr<SSL, Free> connection_;
    short events_ = 0;
};

}  // namespace groma
