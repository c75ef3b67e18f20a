// Secrets that identify one flow or one log: 16 random bytes, written as 32 lower-case hexadecimal digits.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace groma {

using Token = std::array<std::byte, 16>;

[[nodiscard]] std::string to_hex(const Token& token);
[[nodiscard]] bool is_token(std::string_view text) noexcept;
/// Throws: UsageError.
[[nodiscard]] Token token_from_hex(std::string_view text);

/// Constant time: takes the same time wherever the tokens differ.
[[nodiscard]] bool same_token(const Token& left, const Token& right) noexcept;

}  // namespace groma
