// The frame of a message on a control connection (docs/reference/protocol.md): the length of its text in four bytes,
// big-endian, then the text. Pure.
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace groma {

inline constexpr std::size_t kMessageLengthBytes = 4;

/// Throws: RunError, naming `what`, if the text is longer than kMaxMessageBytes.
[[nodiscard]] std::string message_frame(const std::string& text, std::string_view what);

/// The length that a frame begins with, whatever it is.
[[nodiscard]] std::size_t parse_message_length(const std::array<char, kMessageLengthBytes>& bytes);

}  // namespace groma
