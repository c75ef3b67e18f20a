// What a program and a log server say to each other (docs/reference/log-protocol.md): frames as values, their bytes,
// and a reader that makes frames of a byte stream. Pure: no sockets. What is read is hostile until it is a frame.
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

#include "common/base/token.hpp"

namespace groma {

inline constexpr std::uint16_t kLogProtocolVersion = 2;
/// Bytes of a log that one frame can carry; a longer piece travels in several frames.
inline constexpr std::size_t kMaxPieceBytes = 256U << 10U;
/// The longest frame of each kind, length field not counted.
inline constexpr std::size_t kMaxPieceFrame = 1 + 4 + 8 + kMaxPieceBytes;
inline constexpr std::size_t kMaxOtherFrame = 4096;

using LogToken = Token;

/// A log within a connection. The shipper chooses the numbers; each is used once in a connection.
using LogNumber = std::uint32_t;
/// In LogRefused: not one log, the connection.
inline constexpr LogNumber kWholeConnection = 0xffffffff;

/// Shipper: first frame of a connection.
struct ShipperHello {
    std::uint16_t version = kLogProtocolVersion;
    std::string node;  ///< name of the shipper's host
    bool operator==(const ShipperHello&) const = default;
};

/// Server: go on.
struct ServerWelcome {
    std::uint16_t version = kLogProtocolVersion;
    bool operator==(const ServerWelcome&) const = default;
};

/// Shipper: which log is meant by `log` from now on.
struct OpenLog {
    LogNumber log = 0;
    LogToken token{};  ///< drawn at random for each log: who knows it is its writer
    std::string experiment;
    std::string name;
    bool operator==(const OpenLog&) const = default;
};

/// Server: go on with piece number `pieces`: all before it are here.
struct LogOpened {
    LogNumber log = 0;
    std::uint64_t pieces = 0;
    bool operator==(const LogOpened&) const = default;
};

struct LogPiece {
    LogNumber log = 0;
    std::uint64_t number = 0;
    std::span<const std::byte> bytes;  ///< not owned
};

/// Server: the first `pieces` pieces are kept as safely as its sync policy says; the shipper may forget them.
struct LogDurable {
    LogNumber log = 0;
    std::uint64_t pieces = 0;
    bool operator==(const LogDurable&) const = default;
};

/// Shipper: no more pieces; what there should be of them.
struct CloseLog {
    LogNumber log = 0;
    std::uint64_t pieces = 0;
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0;  ///< XXH3-64 of all bytes of the log
    bool operator==(const CloseLog&) const = default;
};

/// Shipper: no more pieces, and it is not the whole log: its writer died, say.
struct GiveUpLog {
    LogNumber log = 0;
    std::uint64_t pieces = 0;
    std::string reason;  ///< for the catalogue
    bool operator==(const GiveUpLog&) const = default;
};

/// Server: the log is whole (after CloseLog) or kept as it is (after GiveUpLog), durable, and done with.
struct LogClosed {
    LogNumber log = 0;
    bool operator==(const LogClosed&) const = default;
};

/// Server: will not go on with this log, or with the connection.
struct LogRefused {
    LogNumber log = kWholeConnection;
    bool try_again = false;  ///< the reason may pass: come back in a moment
    std::string reason;      ///< a sentence that a person can act on
    bool operator==(const LogRefused&) const = default;
};

/// Server: takes no more pieces of this log for now and drops those that come. The shipper keeps them.
struct LogHold {
    LogNumber log = 0;
    std::string reason;
    bool operator==(const LogHold&) const = default;
};

/// Server: the hold is over: send piece number `pieces` and those after it, again if need be.
struct LogGoOn {
    LogNumber log = 0;
    std::uint64_t pieces = 0;
    bool operator==(const LogGoOn&) const = default;
};

using LogFrame = std::variant<ShipperHello, ServerWelcome, OpenLog, LogOpened, LogPiece, LogDurable, CloseLog,
                              GiveUpLog, LogClosed, LogRefused, LogHold, LogGoOn>;

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
