// The log of a session's run, if it has one, from its opening to its closing: on a thread of its own, for a disk or a
// log server may block it.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/thread_pool.hpp>
#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/control/messages.hpp"
#include "common/time/clock.hpp"
#include "receiver/left_logs.hpp"
#include "receiver/log_shippers.hpp"
#include "receiver/log_target.hpp"
#include "receiver/offered_log.hpp"
#include "receiver/session_log.hpp"

namespace groma {

/// Thread: the control thread. Coroutines go on there when the log's thread has done its part; what they are given
/// outlives them.
class RunLog {
public:
    /// Both outlive it.
    RunLog(Clock& clock, LogShippers& shippers) : clock_(clock), shippers_(shippers) {}

    /// Requires: not target.none(). Throws: as open_log_target().
    boost::asio::awaitable<void> open(const LogTarget& target, const RunMetadata& metadata, std::size_t block_records);
    /// Null when there is none.
    [[nodiscard]] SessionLog* get() { return log_.get(); }
    /// From now on the log's thread writes what comes. Requires: there is a log.
    void run();

    /// Nothing comes any more.
    void stop() noexcept;
    /// Writes the events, those of the closing behind them, and the totals; completes the results by what is known of
    /// the log then. Requires: there is a log; stop() was called. `end` is as for closing_events().
    boost::asio::awaitable<void> close(const std::string& end, std::vector<LogEvent>& events, ReceiverResults& results);
    /// Instead of close(): there is nothing to keep. Requires: there is a log; stop() was called.
    boost::asio::awaitable<void> abandon();
    /// The session is over: a log that was offered, and not asked for to its end, is left for a sender that comes back.
    /// Returns: whether there is one.
    bool leave(LeftLogs& left, const std::string& peer, MonoTime now);
    /// What a later session goes on with. Requires: no open(). Returns: whether there is one under this token, for a
    /// sender with this key.
    [[nodiscard]] bool resume(LeftLogs& left, const Token& token, const std::optional<Grant>& grant, MonoTime now);
    /// The file of the log that is offered. Requires: there is one.
    [[nodiscard]] const std::filesystem::path& offered_file() const { return offered_->file(); }
    /// Nothing unless the log is offered.
    [[nodiscard]] std::optional<Token> token() const { return offered_ ? std::optional(token_) : std::nullopt; }

    /// Returns: a LogSection of it. Requires (this and remove()): it was opened to be offered and close() has returned,
    /// or it was resumed. Throws: RunError if the log is not whole; as OfferedLog.
    boost::asio::awaitable<Message> section(std::uint64_t offset);
    /// Returns: LogRemoved. Throws: as OfferedLog.
    boost::asio::awaitable<Message> remove();

private:
    void complete(const std::string& end, std::vector<LogEvent>& events, ReceiverResults& results);

    Clock& clock_;
    LogShippers& shippers_;
    std::unique_ptr<SessionLog> log_;
    std::unique_ptr<OfferedLog> offered_;
    Token token_{};                                     ///< of what is offered
    bool fetchable_ = false;                            ///< closed without an error, or left by a session before
    const ShippedLog* shipped_ = nullptr;               ///< within log_
    std::unique_ptr<boost::asio::thread_pool> thread_;  ///< when there is a log
};

}  // namespace groma
