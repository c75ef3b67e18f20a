// What a shipper's rank and the log server's rank send each other over MPI: frames of the log protocol, one a letter,
// each with the number of its connection in front.
//
//   byte 0          4      5
//        | connection | kind | one whole frame (kind 0); nothing (kind 1: the connection has ended)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "common/shipping/protocol/log_frames.hpp"

namespace groma {

struct LogLetter {
    enum class Kind : std::uint8_t { frame, end };

    std::uint32_t connection = 0;  ///< counted by the shipper
    Kind kind = Kind::frame;
    std::span<const std::byte> frame;  ///< with its length field; not owned
};

inline constexpr std::size_t kLogLetterHeader = 5;
inline constexpr std::size_t kLongestLogLetter = kLogLetterHeader + 4 + kMaxPieceFrame;

[[nodiscard]] std::vector<std::byte> serialize(const LogLetter& letter);

/// Throws: ProtocolError for an invalid letter.
[[nodiscard]] LogLetter parse_log_letter(std::span<const std::byte> bytes, const std::string& peer);

/// The frame of a letter, at most `longest` bytes without its length field. A LogPiece points into the letter's bytes.
/// Throws: ProtocolError.
[[nodiscard]] LogFrame frame_of(const LogLetter& letter, std::size_t longest, const std::string& peer);

}  // namespace groma
