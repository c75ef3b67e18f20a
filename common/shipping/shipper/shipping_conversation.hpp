// A shipper's side of the talk with a log server, whatever carries it: which frame goes out next, and what a frame that
// comes in means for each log. Pure: no socket, no thread, no clock. Believes a server nothing that cannot be.
//
// A log's life on a connection:
//   unopened --open--> opening --opened--> flowing --close--> closing --closed--> over
//                                  hold: held --go on--> flowing     refused for a moment: put_off --until--> unopened
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

/// A server that takes no connection for now (it is full, say).
class LogServerBusy : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

/// A server that will have nothing to do with this shipper.
class LogServerRefusal : public ProtocolError {
public:
    using ProtocolError::ProtocolError;
};

/// A log within a shipper, for as long as the shipper lives.
using LogId = std::uint32_t;

/// What is to be shipped of a log.
struct LogToShip {
    OpenLog open;             ///< its number is not used
    std::uint64_t first = 0;  ///< pieces before this one are on the server, or nowhere
    std::uint64_t handed = 0;
};

/// How a log ends; the numbers in it are not used.
using LogEnding = std::variant<CloseLog, GiveUpLog>;

/// What a frame of the server meant for one log.
struct LogNews {
    enum class Kind : std::uint8_t {
        opened,   ///< goes on with piece `pieces`
        durable,  ///< `pieces` pieces are kept there
        held,     ///< takes nothing for now: `reason`
        going_on,
        put_off,  ///< was refused for a moment: `reason`
        closed,   ///< done with
        refused   ///< for good: `reason`
    };
    Kind kind = Kind::opened;
    LogId log = 0;
    std::uint64_t pieces = 0;
    std::string reason;
};

/// A piece is to be sent: its bytes are the caller's to fetch.
struct PieceDue {
    LogId log = 0;
    LogNumber number_of_log = 0;  ///< on this connection
    std::uint64_t piece = 0;
};
using FrameDue = std::variant<LogFrame, PieceDue>;

class ShippingConversation {
public:
    /// `peer` stands in messages; `node` is the name of this host.
    ShippingConversation(std::string peer, std::string node);

    /// Takes on one more log.
    LogId add(LogToShip log);
    /// The writer has handed over so many pieces in all.
    void handed(LogId log, std::uint64_t pieces);
    /// There will be no more.
    void end(LogId log, LogEnding ending);
    /// Whatever becomes of it, nobody wants to know any more.
    void forget(LogId log);

    /// A connection begins: greets, and opens every log (again).
    void connected();

    /// Whether there is something to say or to hear that needs a connection.
    [[nodiscard]] bool needs_connection() const;
    /// Whether an answer is due: something was said that the server has not confirmed.
    [[nodiscard]] bool awaits_answer() const;

    /// What to send next; logs take turns. The same until sent() is called or a frame is heard.
    [[nodiscard]] std::optional<FrameDue> next(MonoTime now);
    void sent();
    /// When a log that was put off may be opened again; the end of time if none is.
    [[nodiscard]] MonoTime next_deadline() const;

    /// Returns: what it means for the logs. Throws: ProtocolError for what cannot be; LogServerBusy; LogServerRefusal.
    [[nodiscard]] std::vector<LogNews> hear(const LogFrame& frame, MonoTime now);

private:
    enum class State : std::uint8_t { unopened, opening, flowing, held, put_off, closing, over };

    struct Log {
        LogToShip to_ship;
        std::optional<LogEnding> ending;
        State state = State::unopened;
        LogNumber number = 0;
        std::uint64_t durable = 0;
        std::uint64_t next = 0;  ///< to be sent on this connection
        bool opened_once = false;
        MonoTime open_again{};  ///< when it was put off
    };

    using Entry = std::pair<const LogId, Log>;

    [[nodiscard]] std::optional<FrameDue> due(LogId id, Log& log, MonoTime now);
    [[nodiscard]] LogFrame ending_of(const Log& log) const;
    /// Null for one that nobody wants to know of any more.
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
    bool greeted_ = false;  ///< hello is sent
    bool welcome_ = false;  ///< and answered
    MonoTime now_{};        ///< of the frame that is being heard
    std::optional<std::pair<FrameDue, LogId>> due_;
};

}  // namespace groma
