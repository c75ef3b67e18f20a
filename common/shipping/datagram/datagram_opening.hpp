// How a connection over datagrams begins: both ends as pure state machines (docs/reference/log-udp.md). The server
// keeps no state for a peer until the peer has shown that it receives at its source address, and answers with at most
// as many bytes as it got.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <unordered_map>
#include <variant>

#include "common/net/socket/socket_address.hpp"
#include "common/shipping/datagram/datagram_agreement.hpp"
#include "common/shipping/datagram/datagram_format.hpp"
#include "common/shipping/datagram/datagram_pacer.hpp"
#include "common/time/instant.hpp"
#include "common/wire/mac.hpp"

namespace groma {

/// A connection that both ends have agreed on.
struct AgreedConnection {
    std::uint64_t connection = 0;
    DatagramKeys keys;
};

/// The shipper's end: repeats its request until it is answered.
class DatagramOpening {
public:
    /// `nonce` and `random` must be drawn for each attempt. `key`: that both have; the connection of a server that does
    /// not have it is not taken.
    DatagramOpening(std::uint64_t nonce, const Secret& random, std::optional<SharedKey> key = std::nullopt);

    /// What to send now; empty if there is none.
    [[nodiscard]] std::optional<OpeningDatagram> next_datagram(MonoTime now);
    [[nodiscard]] MonoTime next_deadline() const { return next_at_; }
    void on_datagram(std::span<const std::byte> datagram);

    /// The connection, once the server has accepted it.
    [[nodiscard]] const std::optional<AgreedConnection>& accepted() const { return accepted_; }
    /// Why there will be none.
    [[nodiscard]] std::optional<OpeningRefusal> refused() const { return refused_; }
    /// An acceptance came that proves nothing: it is not from the server that has the key, or was changed.
    [[nodiscard]] bool unproved() const { return unproved_; }

private:
    [[nodiscard]] UdpOpen open_with(const UdpRetry& retry) const;
    void take(const UdpAccepted& accepted);

    std::uint64_t nonce_;
    AgreementKey agreement_;
    std::optional<SharedKey> key_;
    std::optional<UdpRetry> retry_;
    std::deque<UdpOpen> opens_;  ///< that were sent: the answer to an earlier one may come late
    std::optional<AgreedConnection> accepted_;
    std::optional<OpeningRefusal> refused_;
    bool unproved_ = false;
    MonoTime next_at_{};
    unsigned tries_ = 0;  ///< since the last answer
};

/// The requester: its address from the kernel.
struct OpeningPeer {
    HostKey host{};
    std::uint16_t port = 0;
};

struct OpeningLimits {
    Nanos token_life = std::chrono::seconds(10);
    double a_second = 200;  ///< new connections, for all addresses together
    double at_once = 512;
};

struct OpeningCounts {
    std::uint64_t hellos = 0;      ///< answered
    std::uint64_t accepted = 0;    ///< new connections
    std::uint64_t repeats = 0;     ///< repeated openings of accepted connections
    std::uint64_t bad_tokens = 0;  ///< too old, or not issued for this address by this server
    std::uint64_t refused = 0;     ///< for their key, or as they have none
    std::uint64_t bad_points = 0;  ///< with a public key that makes no secret
    std::uint64_t too_many = 0;    ///< beyond OpeningLimits
    bool operator==(const OpeningCounts&) const = default;
};

/// What a server is asked about an opening with a valid token.
struct OpeningRules {
    std::function<bool()> needs_key = [] { return false; };
    /// For one connection more.
    std::function<bool()> has_room = [] { return true; };
    /// Nothing: there is no such key, or it is not good any more.
    std::function<std::optional<Secret>(const Token& id)> secret_of = [](const Token&) { return std::nullopt; };
};

/// The server's end.
class OpeningGuard {
public:
    /// `draw`: gives 32 random bytes each time, here and when a connection begins.
    OpeningGuard(std::function<Secret()> draw, const OpeningLimits& limits, MonoTime now);

    [[nodiscard]] UdpRetry on_hello(const UdpHello& hello, const OpeningPeer& peer, MonoTime now);

    struct Verdict {
        std::variant<UdpAccepted, UdpRefused> answer;
        std::optional<DatagramKeys> keys{};  ///< of a new connection; nothing: none, or a repeated opening of one
    };
    /// Empty if it must not be answered. Token, key and limits are looked at in this order, and only then a curve.
    [[nodiscard]] std::optional<Verdict> on_open(const UdpOpen& open, const OpeningPeer& peer,
                                                 const OpeningRules& rules, MonoTime now);

    [[nodiscard]] const OpeningCounts& counts() const { return counts_; }

private:
    struct Used {
        MonoTime until;
        std::uint64_t connection;
    };

    enum class Purpose : std::uint8_t { token = 1, connection = 2 };
    [[nodiscard]] std::uint64_t derive(Purpose purpose, const OpeningPeer& peer,
                                       std::span<const std::byte> bytes) const;
    [[nodiscard]] std::uint64_t token_of(std::uint64_t nonce, std::uint64_t issued, const OpeningPeer& peer) const;
    /// Nothing: no secret belongs to it, or it is not proved.
    [[nodiscard]] std::optional<Secret> proved(const UdpOpen& open, const OpeningRules& rules) const;
    [[nodiscard]] std::optional<Verdict> begin(const UdpOpen& open, const std::optional<Secret>& secret,
                                               std::uint64_t connection, MonoTime now);
    void forget_old(MonoTime now);

    std::function<Secret()> draw_;
    MacKey hash_key_;
    Secret nobodys_;  ///< compared where there is no such key, so that it takes as long
    OpeningLimits limits_;
    DatagramPacer pacer_;
    std::deque<Used> used_;                                   ///< oldest first
    std::unordered_map<std::uint64_t, UdpAccepted> answers_;  ///< of used_, by connection
    OpeningCounts counts_;
};

}  // namespace groma
