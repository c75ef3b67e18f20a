// What a program and a log server say to each other (docs/log-protocol.md): frames as values, their bytes, and a reader
// that makes frames of a byte stream. Pure: no sockets. What is read is hostile until it is a frame.
//
//   byte 0       4      5
//        | length | type | fields, big-endian ...        length counts what follows it (type and fields)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace groma {

inline constexpr std::uint16_t kLogProtocolVersion = 1;
/// Bytes of a log that one frame can carry; a longer piece travels in several frames.
inline constexpr std::size_t kMaxPieceBytes = 256U << 10U;
/// The longest frame of each kind, length field not counted.
inline constexpr std::size_t kMaxPieceFrame = 1 + 8 + kMaxPieceBytes;
inline constexpr std::size_t kMaxOtherFrame = 4096;

using LogToken = std::array<std::byte, 16>;

/// First frame of a connection: which log is meant.
struct OpenLog {
    std::uint16_t version = kLogProtocolVersion;
    LogToken token{};  ///< drawn at random for each log: who knows it is its writer
    std::string experiment;
    std::string name;
    bool operator==(const OpenLog&) const = default;
};

/// Go on with piece number `durable`: all before it are on the server's disk.
struct LogOpened {
    std::uint64_t durable = 0;
    bool operator==(const LogOpened&) const = default;
};

struct LogPiece {
    std::uint64_t number = 0;
    std::span<const std::byte> bytes;  ///< not owned
};

/// The first `pieces` pieces are on the server's disk.
struct LogDurable {
    std::uint64_t pieces = 0;
    bool operator==(const LogDurable&) const = default;
};

/// No more pieces; what there should be of them.
struct CloseLog {
    std::uint64_t pieces = 0;
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0;  ///< XXH3-64 of all bytes of the log
    bool operator==(const CloseLog&) const = default;
};

/// The log is whole, durable, and has its name.
struct LogClosed {
    bool operator==(const LogClosed&) const = default;
};

/// The server will not go on and closes the connection.
struct LogRefused {
    bool try_again = false;  ///< the reason may pass: come back in a moment
    std::string reason;      ///< a sentence that a person can act on
    bool operator==(const LogRefused&) const = default;
};

using LogFrame = std::variant<OpenLog, LogOpened, LogPiece, LogDurable, CloseLog, LogClosed, LogRefused>;

/// Requires: names and reasons that fit kMaxOtherFrame, pieces that fit kMaxPieceBytes.
[[nodiscard]] std::vector<std::byte> serialize(const LogFrame& frame);

/// One frame without its length field. A LogPiece's bytes point into `bytes`.
/// Throws: ProtocolError(peer, ...) for anything that is not exactly one frame.
[[nodiscard]] LogFrame parse_log_frame(std::span<const std::byte> bytes, const std::string& peer);

/// Cuts frames out of a stream. Holds one frame's bytes at most, and no more than the longest frame allowed now.
class LogFrameReader {
public:
    /// `longest`: frames announced as longer are an error; raised with allow() once more is due.
    LogFrameReader(std::string peer, std::size_t longest);

    void allow(std::size_t longest);

    /// Where the next bytes of the stream belong; never empty. Ends the life of the last frame's bytes.
    [[nodiscard]] std::span<std::byte> space();
    /// So many bytes were put there.
    void filled(std::size_t bytes);

    /// The next whole frame, if it has come; a LogPiece's bytes live until space() is called.
    /// Throws: ProtocolError.
    [[nodiscard]] std::optional<LogFrame> next();

    /// True while a frame has come in part.
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
