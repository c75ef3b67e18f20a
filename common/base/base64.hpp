// Bytes as text (RFC 4648, section 4).
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace groma {

[[nodiscard]] std::string base64(std::span<const std::byte> bytes);

/// Returns: nothing unless base64() makes exactly this text of the bytes.
[[nodiscard]] std::optional<std::vector<std::byte>> bytes_of_base64(std::string_view text);

}  // namespace groma
