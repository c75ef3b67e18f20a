// Frames between a program and a log server (docs/reference/log-protocol.md): their values and their bytes. Pure: no
// sockets. Input is untrusted until parsed.
//
//   byte 0       4      5
//        | length | type | fields, big-endian ...        length of type and fields
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "common/base/token.hpp"

namespace groma {

inline constexpr std::uint16_t kLogProtocolVersion = 2;
/// Bytes of a log in one frame, at most; a longer piece takes several frames.
inline constexpr std::size_t kMaxPieceBytes = 256U << 10U;
inline constexpr std::size_t kFrameLengthBytes = 4;
/// The longest frame of each kind, without the length field.
inline constexpr std::size_t kMaxPieceFrame = 1 + 4 + 8 + kMaxPieceBytes;
inline constexpr std::size_t kMaxOtherFrame = 4096;

using LogToken = Token;

/// A log on a connection. The shipper chooses the numbers and uses each once per connection.
using LogNumber = std::uint32_t;
/// In LogRefused: refuses the connection, not one log.
inline constexpr LogNumber kWholeConnection = 0xffffffff;

/// Shipper: first frame of a connection.
struct ShipperHello {
    std::uint16_t version = kLogProtocolVersion;
    std::string node;  ///< name of the shipper's host
    bool operator==(const ShipperHello&) const = default;
};

/// Server: continue.
struct ServerWelcome {
    std::uint16_t version = kLogProtocolVersion;
    bool operator==(const ServerWelcome&) const = default;
};

/// Shipper: assigns the number `log` to a log.
struct OpenLog {
    LogNumber log = 0;
    LogToken token{};  ///< drawn at random for each log; only the log's writer has it
    std::string experiment;
    std::string name;
    bool operator==(const OpenLog&) const = default;
};

/// Server: continue with piece number `pieces`; it has all earlier ones.
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

/// Server: the first `pieces` pieces are stored as its sync policy says; the shipper may discard them.
struct LogDurable {
    LogNumber log = 0;
    std::uint64_t pieces = 0;
    bool operator==(const LogDurable&) const = default;
};

/// Shipper: the log is complete; its totals.
struct CloseLog {
    LogNumber log = 0;
    std::uint64_t pieces = 0;
    std::uint64_t bytes = 0;
    std::uint64_t hash = 0;  ///< XXH3-64 of all bytes of the log
    bool operator==(const CloseLog&) const = default;
};

/// Shipper: the log ends incomplete, for instance because its writer died.
struct GiveUpLog {
    LogNumber log = 0;
    std::uint64_t pieces = 0;
    std::string reason;  ///< for the catalogue
    bool operator==(const GiveUpLog&) const = default;
};

/// Server: the log is complete (after CloseLog) or stored as it is (after GiveUpLog), and durable; this ends it.
struct LogClosed {
    LogNumber log = 0;
    bool operator==(const LogClosed&) const = default;
};

/// Server: refuses to continue this log, or the connection.
struct LogRefused {
    LogNumber log = kWholeConnection;
    bool try_again = false;  ///< the reason may pass: try again soon
    std::string reason;      ///< a sentence that the user can act on
    bool operator==(const LogRefused&) const = default;
};

/// Server: accepts no more pieces of this log for now and drops any that arrive. The shipper keeps them.
struct LogHold {
    LogNumber log = 0;
    std::string reason;
    bool operator==(const LogHold&) const = default;
};

/// Server: the hold is over. Send piece number `pieces` and later ones, again if needed.
struct LogGoOn {
    LogNumber log = 0;
    std::uint64_t pieces = 0;
    bool operator==(const LogGoOn&) const = default;
};

using LogFrame = std::variant<ShipperHello, ServerWelcome, OpenLog, LogOpened, LogPiece, LogDurable, CloseLog,
                              GiveUpLog, LogClosed, LogRefused, LogHold, LogGoOn>;

/// Requires: names and reasons fit kMaxOtherFrame, pieces fit kMaxPieceBytes.
[[nodiscard]] std::vector<std::byte> serialize(const LogFrame& frame);

/// One frame without its length field. A LogPiece's bytes point into `bytes`. Throws: ProtocolError(peer, ...) if the
/// bytes are not exactly one frame.
[[nodiscard]] LogFrame parse_log_frame(std::span<const std::byte> bytes, const std::string& peer);

}  // namespace groma
