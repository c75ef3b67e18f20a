// A shipper's side of the conversation with a log server, over any transport: which frame to send next, and what a
// received frame means for each log. Pure: no socket, no thread, no clock. Refuses impossible claims of a server.
#pragma once

#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "common/shipping/shipper/log_stream.hpp"
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

class ShippingConversation {
public:
    /// `peer` is used in messages; `node` is the name of this host.
    ShippingConversation(std::string peer, std::string node);
    ShippingConversation(const ShippingConversation&) = delete;
    ShippingConversation& operator=(const ShippingConversation&) = delete;

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
    /// Null for a log that was removed with forget().
    [[nodiscard]] std::pair<const LogId, LogStream>* stream_of(LogNumber number);
    [[noreturn]] void nonsense(const std::string& what) const;
    [[noreturn]] void refused_connection(const LogRefused& refused) const;
    void heard_welcome(const ServerWelcome& welcome);

    std::string peer_;
    std::string node_;
    std::map<LogId, LogStream> logs_;
    LogId next_id_ = 0;
    LogId last_served_ = std::numeric_limits<LogId>::max();
    LogNumber next_number_ = 0;
    bool greeted_ = false;  ///< sent the hello
    bool welcome_ = false;  ///< got the welcome
    std::optional<std::pair<FrameDue, LogId>> due_;
};

}  // namespace groma
