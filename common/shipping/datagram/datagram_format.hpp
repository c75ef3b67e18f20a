// Datagrams of the log protocol over UDP as values and as bytes (docs/reference/log-udp.md). Pure. Input is untrusted
// until parsed.
//
//   byte 0      2        3      4            12         20
//        | magic | version | kind | connection | number | content ... | tag |       big-endian
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "common/base/token.hpp"
#include "common/shipping/datagram/datagram_cipher.hpp"
#include "common/shipping/datagram/datagram_ranges.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// UDP payload. No datagram is longer, and a connection works with the shortest.
inline constexpr std::size_t kLongestDatagram = 16384;
inline constexpr std::size_t kShortestDatagram = 128;
/// Size that every path is assumed to carry if larger datagrams are lost.
inline constexpr std::size_t kSafeDatagram = 1200;

/// Highest number of a datagram and of a byte of the stream. Larger ones are invalid; the sum of two does not overflow.
inline constexpr std::uint64_t kHighestNumber = 1ULL << 62U;

/// These numbers are on the wire: do not renumber.
enum class DatagramKind : std::uint8_t {
    hello = 1,
    retry = 2,
    open = 3,
    accepted = 4,
    from_shipper = 5,
    from_server = 6,
    refused = 7
};

/// Bytes of a hello and of an open: longer than any answer to them.
inline constexpr std::size_t kOpeningBytes = 92;
using OpeningDatagram = std::array<std::byte, kOpeningBytes>;

/// Shipper: requests a connection.
struct UdpHello {
    std::uint64_t nonce = 0;  ///< drawn at random for each attempt; answers repeat it
    bool operator==(const UdpHello&) const = default;
};

/// Server: repeat the request with this token; the server keeps no state until then.
struct UdpRetry {
    std::uint64_t nonce = 0;
    std::uint64_t issued = 0;  ///< on the server's own clock
    std::uint64_t token = 0;   ///< binds nonce and time to the shipper's address
    bool operator==(const UdpRetry&) const = default;
};

/// Of X25519 (RFC 7748).
using PublicKey = std::array<std::byte, 32>;

/// Shipper: repeats the request with the token, and says which key it has.
struct UdpOpen {
    std::uint64_t nonce = 0;
    std::uint64_t issued = 0;
    std::uint64_t token = 0;
    PublicKey public_key{};
    Token id{};      ///< of the key that the shipper has; zeros: none
    Token binder{};  ///< proves it (binder_of())
    bool operator==(const UdpOpen&) const = default;
};

/// Server: assigns the connection.
struct UdpAccepted {
    std::uint64_t nonce = 0;
    std::uint64_t connection = 0;
    PublicKey public_key{};
    Token proof{};  ///< that the server has agreed on the same keys, for which it must have the shipper's key
    bool operator==(const UdpAccepted&) const = default;
};

/// These numbers are on the wire: do not renumber.
enum class OpeningRefusal : std::uint8_t {
    key_not_taken = 1,  ///< unknown, not proved, expired, or no keys are taken: the server does not say which
    key_needed = 2
};

/// Server: opens no connection, for this reason.
struct UdpRefused {
    std::uint64_t nonce = 0;
    OpeningRefusal why = OpeningRefusal::key_not_taken;
    bool operator==(const UdpRefused&) const = default;
};

/// The kind of a datagram of this protocol and version; empty for any other.
[[nodiscard]] std::optional<DatagramKind> kind_of(std::span<const std::byte> datagram);

[[nodiscard]] OpeningDatagram serialize(const UdpHello& hello);
[[nodiscard]] OpeningDatagram serialize(const UdpOpen& open);
[[nodiscard]] std::array<std::byte, 28> serialize(const UdpRetry& retry);
[[nodiscard]] std::array<std::byte, 68> serialize(const UdpAccepted& accepted);
[[nodiscard]] std::array<std::byte, 13> serialize(const UdpRefused& refused);

/// Each is empty unless the bytes are exactly one datagram of its kind.
[[nodiscard]] std::optional<UdpHello> parse_hello(std::span<const std::byte> datagram);
[[nodiscard]] std::optional<UdpRetry> parse_retry(std::span<const std::byte> datagram);
[[nodiscard]] std::optional<UdpOpen> parse_open(std::span<const std::byte> datagram);
[[nodiscard]] std::optional<UdpAccepted> parse_accepted(std::span<const std::byte> datagram);
[[nodiscard]] std::optional<UdpRefused> parse_refused(std::span<const std::byte> datagram);

/// The connection that a datagram of kind from_shipper or from_server claims.
[[nodiscard]] std::optional<std::uint64_t> connection_of(std::span<const std::byte> datagram);

inline constexpr std::size_t kDatagramHeader = 20;
/// Bytes of a connection's datagram around its content.
inline constexpr std::size_t kSealBytes = kDatagramHeader + DatagramCipher::kTagBytes;

struct DatagramHeader {
    DatagramKind kind = DatagramKind::from_shipper;
    std::uint64_t connection = 0;
    std::uint64_t number = 0;
};

/// Writes the header before the content, which is at `datagram[kDatagramHeader]`, encrypts that, and writes the tag
/// after it. Requires: room for both; a number that the cipher has not had. Returns: the datagram's length.
std::size_t seal(std::span<std::byte> datagram, std::size_t content, const DatagramHeader& header,
                 DatagramCipher& cipher) noexcept;

struct OpenedDatagram {
    std::uint64_t number = 0;
    std::span<const std::byte> content;  ///< in the cipher's memory, until it opens another
};

/// Empty unless the datagram has this kind and connection, and was sealed with this key.
[[nodiscard]] std::optional<OpenedDatagram> unseal(std::span<const std::byte> datagram, DatagramKind kind,
                                                   std::uint64_t connection, DatagramCipher& cipher);

}  // namespace groma
