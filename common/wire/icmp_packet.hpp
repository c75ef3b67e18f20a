// ICMP and ICMPv6 echo messages of flows (RFC 792, RFC 4443): the header of a packet, and ICMPv4's checksum, which a
// raw socket must fill in.
//
//   0      1      2          4            6          8
//   | type | code | checksum | identifier | sequence | payload ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace groma {

inline constexpr std::size_t kIcmpHeaderSize = 8;

struct IcmpEcho {
    std::uint8_t type = 0;
    std::uint16_t identifier = 0;
    std::uint16_t sequence = 0;
    std::uint16_t checksum = 0;
};

inline constexpr std::uint8_t kEchoReply = 0;
inline constexpr std::uint8_t kEchoRequest = 8;
inline constexpr std::uint8_t kEchoRequest6 = 128;
inline constexpr std::uint8_t kEchoReply6 = 129;

/// Flows number their requests modulo this value, ...
inline constexpr std::uint16_t kEchoSequences = 0x8000;
/// ... and replies of the round-trip meter set this bit in the number of their request, unlike replies of the
/// receiver's own kernel.
inline constexpr std::uint16_t kMeterReply = 0x8000;

void serialize(const IcmpEcho& echo, std::span<std::byte, kIcmpHeaderSize> out) noexcept;

/// The Internet checksum (RFC 1071) over consecutive pieces, which may have odd lengths.
class InternetChecksum {
public:
    void add(std::span<const std::byte> bytes) noexcept;
    [[nodiscard]] std::uint16_t value() const noexcept;

private:
    std::uint64_t sum_ = 0;
    bool odd_ = false;
};

}  // namespace groma
