// How both ends of a connection over datagrams agree on its keys (docs/reference/log-udp.md): X25519 (RFC 7748) with
// numbers that are drawn for this connection alone, and the key that both have already, if any. No key travels. Pure.
#pragma once

#include <openssl/types.h>

#include <memory>
#include <optional>

#include "common/access/access_key.hpp"
#include "common/shipping/datagram/datagram_format.hpp"

namespace groma {

/// One end's share of an agreement.
class AgreementKey {
public:
    /// `random`: 32 bytes that are used for nothing else. Throws: RunError if OpenSSL's configuration on this host does
    /// not allow this.
    explicit AgreementKey(const Secret& random);

    [[nodiscard]] const PublicKey& public_key() const { return public_key_; }
    /// What the two ends share, and nobody else. Nothing: the peer's key is one that gives everyone the same.
    [[nodiscard]] std::optional<Secret> shared_with(const PublicKey& peer) const;

private:
    struct Free {
        void operator()(EVP_PKEY* key) const noexcept;
    };
    std::unique_ptr<EVP_PKEY, Free> key_;
    PublicKey public_key_{};
};

/// Proves to a server that the sender of this opening has the secret.
[[nodiscard]] Token binder_of(const Secret& secret, const UdpOpen& open);

/// For the datagrams of a connection, one for each direction.
struct DatagramKeys {
    Secret from_shipper;
    Secret from_server;
    bool operator==(const DatagramKeys&) const = default;
};

struct Agreement {
    DatagramKeys keys;
    Token proof{};  ///< that the server has agreed on the same
};

/// `shared`: of the two AgreementKeys; `secret`: that was proved, if any. The proof in `accepted` does not count.
[[nodiscard]] Agreement agree(const Secret& shared, const std::optional<Secret>& secret, const UdpOpen& open,
                              const UdpAccepted& accepted);

}  // namespace groma
