// How a connection over datagrams begins: both ends as pure state machines (docs/reference/log-udp.md). The server
// keeps no state for a peer until the peer has shown that it receives at its source address, and answers with at most
// as many bytes as it got.
#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <unordered_set>

#include "common/net/socket/socket_address.hpp"
#include "common/shipping/datagram/datagram_format.hpp"
#include "common/shipping/datagram/datagram_pacer.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// The shipper's end: repeats its request until it is answered.
class DatagramOpening {
public:
    /// `nonce` must be drawn at random for each attempt.
    explicit DatagramOpening(std::uint64_t nonce) : nonce_(nonce) {}

    /// What to send now; empty if there is none.
    [[nodiscard]] std::optional<OpeningDatagram> next_datagram(MonoTime now);
    [[nodiscard]] MonoTime next_deadline() const { return next_at_; }
    void on_datagram(std::span<const std::byte> datagram);

    /// The connection, once the server has accepted it.
    [[nodiscard]] const std::optional<UdpAccepted>& accepted() const { return accepted_; }

private:
    std::uint64_t nonce_;
    std::optional<UdpRetry> retry_;
    std::optional<UdpAccepted> accepted_;
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
    std::uint64_t too_many = 0;    ///< beyond OpeningLimits
    bool operator==(const OpeningCounts&) const = default;
};

/// The server's end.
class OpeningGuard {
public:
    /// `secret` must be drawn at random when the server starts.
    OpeningGuard(const MacKey& secret, const OpeningLimits& limits, MonoTime now);

    [[nodiscard]] UdpRetry on_hello(const UdpHello& hello, const OpeningPeer& peer, MonoTime now);

    struct Verdict {
        UdpAccepted accepted;
        bool is_new = true;  ///< false: a repeated opening of an accepted connection
    };
    /// Empty if it must not be answered.
    [[nodiscard]] std::optional<Verdict> on_open(const UdpOpen& open, const OpeningPeer& peer, MonoTime now);

    [[nodiscard]] const OpeningCounts& counts() const { return counts_; }

private:
    struct Used {
        MonoTime until;
        std::uint64_t connection;
    };

    enum class Purpose : std::uint8_t { token = 1, connection = 2, key_low = 3, key_high = 4 };
    [[nodiscard]] std::uint64_t derive(Purpose purpose, const UdpOpen& open, const OpeningPeer& peer) const;
    void forget_old(MonoTime now);

    MacKey secret_;
    OpeningLimits limits_;
    DatagramPacer pacer_;
    std::deque<Used> used_;  ///< oldest first
    std::unordered_set<std::uint64_t> used_connections_;
    OpeningCounts counts_;
};

}  // namespace groma
