// Splits the byte stream of a connection into frames of the log protocol. Pure: no sockets.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/shipping/protocol/log_frames.hpp"

namespace groma {

/// Holds the bytes of one frame at most, limited by the longest frame allowed now.
class LogFrameReader {
public:
    /// `longest`: a longer announced frame is an error; allow() raises the limit.
    LogFrameReader(std::string peer, std::size_t longest);

    void allow(std::size_t longest);

    /// Buffer for the next bytes of the stream; never empty. Invalidates the last frame's bytes.
    [[nodiscard]] std::span<std::byte> space();
    /// Call after this number of bytes was put there.
    void filled(std::size_t bytes);

    /// The next frame, if it is complete; a LogPiece's bytes live until space() is called. Throws: ProtocolError.
    [[nodiscard]] std::optional<LogFrame> next();

    /// True if a frame is incomplete.
    [[nodiscard]] bool amid_frame() const { return end_ > begin_; }

private:
    [[nodiscard]] std::optional<std::size_t> announced() const;

    std::string peer_;
    std::size_t longest_;
    std::vector<std::byte> buffer_;
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
};

}  // namespace groma
