// One log in a shipper's conversation with a log server: which of its frames is next, and what the server's frames mean
// for it. Pure. Refuses impossible claims of a server.
//
// A log's life on a connection:
//   unopened --open--> opening --opened--> flowing --close--> closing --closed--> over
//                                  hold: held --go on--> flowing     refused for now: put_off --until--> unopened
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>

#include "common/shipping/protocol/log_frames.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// A log in a shipper, valid as long as the shipper lives.
using LogId = std::uint32_t;

/// A log to be shipped.
struct LogToShip {
    OpenLog open;             ///< its number is ignored
    std::uint64_t first = 0;  ///< earlier pieces are on the server, or lost
    std::uint64_t handed = 0;
};

/// The end of a log; its numbers are ignored.
using LogEnding = std::variant<CloseLog, GiveUpLog>;

/// The meaning of a server's frame for one log.
struct LogNews {
    enum class Kind : std::uint8_t {
        opened,   ///< continues with piece `pieces`
        durable,  ///< `pieces` pieces are stored on the server
        held,     ///< the server holds it: `reason`
        going_on,
        put_off,  ///< temporarily refused: `reason`
        closed,   ///< finished
        refused   ///< refused for good: `reason`
    };
    Kind kind = Kind::opened;
    LogId log = 0;
    std::uint64_t pieces = 0;
    std::string reason;
};

/// A piece to send; the caller fetches its bytes.
struct PieceDue {
    LogId log = 0;
    LogNumber number_of_log = 0;  ///< on this connection
    std::uint64_t piece = 0;
};
using FrameDue = std::variant<LogFrame, PieceDue>;

/// A server's reason, made safe to show.
[[nodiscard]] std::string reason_of_server(const std::string& given);

class LogStream {
public:
    /// `peer` is used in messages, and outlives it.
    LogStream(LogToShip log, const std::string& peer);

    /// The total number of pieces that the writer has handed over.
    void handed(std::uint64_t pieces) { log_.handed = std::max(log_.handed, pieces); }
    /// No more pieces follow.
    void end(LogEnding ending) { ending_ = std::move(ending); }
    /// A connection begins: the log is to be opened (again).
    void connected();

    [[nodiscard]] bool needs_connection() const;
    [[nodiscard]] bool awaits_answer() const;

    /// What to send next. A log that is opened takes `next_number`.
    [[nodiscard]] std::optional<FrameDue> next(LogId id, LogNumber& next_number, MonoTime now);
    void sent(const FrameDue& frame);

    /// Whether it has this number on the connection.
    [[nodiscard]] bool is(LogNumber number) const;
    /// If it was put off; MonoTime::max() otherwise.
    [[nodiscard]] MonoTime open_again_at() const;

    /// Returns: the news, without the log. Throws: ProtocolError for an invalid frame.
    [[nodiscard]] LogNews heard(const LogOpened& frame, MonoTime now);
    [[nodiscard]] LogNews heard(const LogDurable& frame, MonoTime now);
    [[nodiscard]] LogNews heard(const LogHold& frame, MonoTime now);
    [[nodiscard]] LogNews heard(const LogGoOn& frame, MonoTime now);
    [[nodiscard]] LogNews heard(const LogClosed& frame, MonoTime now);
    [[nodiscard]] LogNews heard(const LogRefused& frame, MonoTime now);

private:
    enum class State : std::uint8_t { unopened, opening, flowing, held, put_off, closing, over };

    [[nodiscard]] LogFrame ending_frame() const;
    [[nodiscard]] LogNews fail(std::string reason);
    [[noreturn]] void nonsense(const std::string& what) const;

    const std::string& peer_;
    LogToShip log_;
    std::optional<LogEnding> ending_;
    State state_ = State::unopened;
    LogNumber number_ = 0;
    std::uint64_t durable_ = 0;
    std::uint64_t next_ = 0;  ///< next piece to send on this connection
    bool opened_once_ = false;
    MonoTime open_again_{};  ///< if it was put off
};

}  // namespace groma
