// Messages of a control connection as bytes (docs/reference/protocol.md), for tests that are one side of it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace groma {

inline std::string framed(const std::string& text) {
    const std::size_t length = text.size();
    return std::string{static_cast<char>(length >> 24U), static_cast<char>(length >> 16U),
                       static_cast<char>(length >> 8U), static_cast<char>(length)} +
           text;
}

/// Removes the text of the first message; empty if it is incomplete.
inline std::optional<std::string> next_text(std::string_view& bytes) {
    constexpr std::size_t kLength = 4;
    if (bytes.size() < kLength) {
        return std::nullopt;
    }
    std::size_t length = 0;
    for (const char byte : bytes.substr(0, kLength)) {
        length = length << 8U | static_cast<unsigned char>(byte);
    }
    if (bytes.size() - kLength < length) {
        return std::nullopt;
    }
    std::string text(bytes.substr(kLength, length));
    bytes.remove_prefix(kLength + length);
    return text;
}

}  // namespace groma
