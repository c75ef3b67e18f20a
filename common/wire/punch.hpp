// The proof of a receiver that dials (docs/guide/nat.md) that a flow's port is for it: the first bytes of its
// connection, its first message, or a datagram that is repeated.
//
//    0        8                        24
//    +--------+------------------------+
//    | magic  | token of the flow      |
//    +--------+------------------------+
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "common/base/token.hpp"

namespace groma {

/// Drawn by the sender for each flow, and sent over the control connection only.
using PunchToken = Token;

inline constexpr std::size_t kPunchBytes = 24;
using PunchBytes = std::array<std::byte, kPunchBytes>;

[[nodiscard]] PunchBytes serialize_punch(const PunchToken& token) noexcept;

/// Returns: the token; empty if the bytes are not a punch. The bytes are untrusted.
[[nodiscard]] std::optional<PunchToken> parse_punch(std::span<const std::byte> bytes) noexcept;

}  // namespace groma
