// A shipper's side of the conversation with a log server, over any transport: which frame to send next, and what a
// received frame means for each log. Pure: no socket, no thread, no clock. Refuses impossible claims of a server.
//
// A log's life on a connection:
//   unopened --open--> opening --opened--> flowing --close--> closing --closed--> over
//                                  hold: held --go on--> flowing     refused for now: put_off --until--> unopened
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "common/base/errors.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// The server accepts no connection for now (for example, it is full).
class LogServerBusy : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// The server refuses this shipper.
class LogServerRefusal : public ProtocolError {
public:
    using ProtocolError::ProtocolError;
};

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

class ShippingConversation {
public:
    /// `peer` is used in messages; `node` is the name of this host.
    ShippingConversation(std::string peer, std::string node);

    /// Adds a log.
    LogId add(LogToShip log);
    /// The total number of pieces that the writer has handed over.
    void handed(LogId log, std::uint64_t pieces);
    /// No more pieces follow.
    void end(LogId log, LogEnding ending);
    /// Removes a log whose outcome is not needed.
    void forget(LogId log);

    /// A connection begins: sends the greeting, and opens every log (again).
    void connected();

    /// Whether there is anything to send or receive.
    [[nodiscard]] bool needs_connection() const;
    /// Whether the server has not yet confirmed something.
    [[nodiscard]] bool awaits_answer() const;

    /// What to send next; logs take turns. Does not change until sent() is called or a frame is heard.
    [[nodiscard]] std::optional<FrameDue> next(MonoTime now);
    void sent();
    /// When a log that was put off may be opened again; MonoTime::max() if none is.
    [[nodiscard]] MonoTime next_deadline() const;

    /// Returns: the news for the logs. Throws: ProtocolError for an invalid frame; LogServerBusy; LogServerRefusal.
    [[nodiscard]] std::vector<LogNews> hear(const LogFrame& frame, MonoTime now);

private:
    enum class State : std::uint8_t { unopened, opening, flowing, held, put_off, closing, over };

    struct Log {
        LogToShip to_ship;
        std::optional<LogEnding> ending;
        State state = State::unopened;
        LogNumber number = 0;
        std::uint64_t durable = 0;
        std::uint64_t next = 0;  ///< next piece to send on this connection
        bool opened_once = false;
        MonoTime open_again{};  ///< if it was put off
    };

    using Entry = std::pair<const LogId, Log>;

    [[nodiscard]] std::optional<FrameDue> due(LogId id, Log& log, MonoTime now);
    [[nodiscard]] LogFrame ending_of(const Log& log) const;
    /// Null for a log that was removed with forget().
    [[nodiscard]] Entry* entry_of(LogNumber number);
    [[noreturn]] void nonsense(const std::string& what) const;

    [[noreturn]] void refused_connection(const LogRefused& refused) const;
    void heard_welcome(const ServerWelcome& welcome);
    [[nodiscard]] LogNews heard(Entry& entry, const LogOpened& frame);
    [[nodiscard]] LogNews heard(Entry& entry, const LogDurable& frame) const;
    [[nodiscard]] static LogNews heard(Entry& entry, const LogHold& frame);
    [[nodiscard]] LogNews heard(Entry& entry, const LogGoOn& frame) const;
    [[nodiscard]] LogNews heard(Entry& entry, const LogClosed& frame) const;
    [[nodiscard]] LogNews heard(Entry& entry, const LogRefused& frame) const;
    [[nodiscard]] static LogNews fail(Entry& entry, std::string reason);

    std::string peer_;
    std::string node_;
    std::map<LogId, Log> logs_;
    LogId next_id_ = 0;
    LogId last_served_ = std::numeric_limits<LogId>::max();
    LogNumber next_number_ = 0;
    bool greeted_ = false;  ///< sent the hello
    bool welcome_ = false;  ///< got the welcome
    MonoTime now_{};        ///< of the current frame
    std::optional<std::pair<FrameDue, LogId>> due_;
};

}  // namespace groma
