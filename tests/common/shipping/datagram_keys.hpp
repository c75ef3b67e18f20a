// Keys and secrets for tests of connections over datagrams.
#pragma once

#include <array>
#include <functional>
#include <string_view>
#include <vector>

#include "common/shipping/datagram/datagram_agreement.hpp"

namespace groma::test {

/// A secret of 32 times this byte.
inline Secret secret_of(int byte) {
    std::array<std::byte, Secret::kBytes> bytes{};
    bytes.fill(static_cast<std::byte>(byte));
    return Secret(bytes);
}

inline DatagramKeys keys_of(int byte) {
    return {.from_shipper = secret_of(byte), .from_server = secret_of(byte + 1)};
}

/// Another secret each time, the same ones in each test.
inline std::function<Secret()> draws(int first = 1) {
    return [next = first]() mutable { return secret_of(next++); };
}

inline std::vector<std::byte> bytes_of_hex(std::string_view hex) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes.push_back(static_cast<std::byte>(16 * kDigits.find(hex[i]) + kDigits.find(hex[i + 1])));
    }
    return bytes;
}

inline Secret secret_of_hex(std::string_view hex) {
    const auto bytes = bytes_of_hex(hex);
    return Secret(std::span(bytes).first<Secret::kBytes>());
}

}  // namespace groma::test
