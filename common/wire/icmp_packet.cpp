#include "common/wire/icmp_packet.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace groma {

namespace {

void put16(std::span<std::byte> out, std::size_t at, std::uint16_t value) noexcept {
    out[at] = static_cast<std::byte>(value >> 8U);
    out[at + 1] = static_cast<std::byte>(value & 0xffU);
}

std::uint16_t fold(std::uint64_t sum) noexcept {
    while (sum > 0xffff) {
        sum = (sum & 0xffffU) + (sum >> 16U);
    }
    return static_cast<std::uint16_t>(sum);
}

/// The sum of the bytes as 16-bit words in this machine's byte order.
std::uint64_t sum_of_words(std::span<const std::byte> bytes) noexcept {
    std::uint64_t sum = 0;
    while (bytes.size() >= sizeof(std::uint32_t)) {
        std::uint32_t word = 0;
        std::memcpy(&word, bytes.data(), sizeof word);
        sum += word;  // 2^32 - 1 is a multiple of 2^16 - 1: two words at once
        bytes = bytes.subspan(sizeof word);
    }
    std::uint32_t last = 0;
    std::ranges::copy(bytes, std::as_writable_bytes(std::span(&last, 1)).begin());
    return sum + last;
}

}  // namespace

void serialize(const IcmpEcho& echo, std::span<std::byte, kIcmpHeaderSize> out) noexcept {
    out[0] = static_cast<std::byte>(echo.type);
    out[1] = std::byte{0};
    put16(out, 2, echo.checksum);
    put16(out, 4, echo.identifier);
    put16(out, 6, echo.sequence);
}

void InternetChecksum::add(std::span<const std::byte> bytes) noexcept {
    const std::uint16_t sum = fold(sum_of_words(bytes));
    // A piece that starts within a word counts with its bytes swapped (RFC 1071, 2).
    sum_ += odd_ ? static_cast<std::uint16_t>((sum << 8U) | (sum >> 8U)) : sum;
    odd_ = odd_ != (bytes.size() % 2 != 0);
}

std::uint16_t InternetChecksum::value() const noexcept {
    const auto sum = static_cast<std::uint16_t>(~fold(sum_));
    if constexpr (std::endian::native == std::endian::little) {
        return static_cast<std::uint16_t>((sum << 8U) | (sum >> 8U));
    }
    return sum;
}

}  // namespace groma
