// HKDF by SHA-256 (RFC 5869): keys from secrets. Pure.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace groma {

/// Fills `out`. Requires: 8160 bytes at most. `salt`: empty where the secret is random already.
void hkdf_sha256(std::span<const std::byte> secret, std::span<const std::byte> salt, std::string_view info,
                 std::span<std::byte> out);

}  // namespace groma
