// One connection to the log server: a coroutine that reads top to bottom like the protocol. All on the server's thread.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <functional>
#include <memory>
#include <string>

#include "common/shipping/log_frames.hpp"
#include "common/time/clock.hpp"
#include "logserver/log_store.hpp"

namespace groma {

/// How long the server waits for a client, and how often it makes logs durable.
struct SessionLimits {
    Nanos greeting = std::chrono::seconds(10);  ///< until the log is opened
    Nanos silence = std::chrono::minutes(5);    ///< until the next frame has come whole; a writer may come back later
    Nanos writing = std::chrono::seconds(10);   ///< for an answer to be taken
    Nanos farewell = std::chrono::seconds(2);   ///< for a refused client to read why
    Nanos durable_every = std::chrono::seconds(1);
    std::uint64_t durable_bytes = 16U << 20U;  ///< made durable earlier when so much has come
};

class LogSession;

/// What a session needs of its server.
class SessionHost {
public:
    SessionHost() = default;
    SessionHost(const SessionHost&) = delete;
    SessionHost& operator=(const SessionHost&) = delete;
    virtual ~SessionHost() = default;

    /// Throws: LogRefusal, SystemError, RunError.
    [[nodiscard]] virtual std::unique_ptr<StoredLog> open_log(const OpenLog& request, LogSession& session) = 0;
    /// One line for the operator.
    virtual void report(const std::string& line) = 0;
    [[nodiscard]] virtual Clock& clock() = 0;
    [[nodiscard]] virtual const SessionLimits& limits() const = 0;
};

class LogSession {
public:
    /// The host outlives the session.
    LogSession(boost::asio::ip::tcp::socket socket, SessionHost& host);

    /// Returns when the connection is done with, one way or the other.
    boost::asio::awaitable<void> run();

    /// Ends the session from outside: the log is kept as it is, the connection is closed.
    void end(const std::string& reason) noexcept;

    /// The log that this session writes, once it is open.
    [[nodiscard]] bool writes(const std::string& experiment, const std::string& name) const;
    [[nodiscard]] const LogToken& token() const { return request_.token; }

private:
    boost::asio::awaitable<void> serve();
    boost::asio::awaitable<void> greet();
    boost::asio::awaitable<LogFrame> greeting_frame(MonoTime deadline);
    boost::asio::awaitable<LogFrame> next_frame();
    boost::asio::awaitable<void> make_durable();
    boost::asio::awaitable<void> close_log(const CloseLog& totals);
    boost::asio::awaitable<void> say(const LogFrame& frame);
    boost::asio::awaitable<void> say_farewell(const std::string& reason);
    /// Returns: false when the deadline came first.
    boost::asio::awaitable<bool> wait_until_ready(boost::asio::ip::tcp::socket::wait_type event, MonoTime deadline);
    void take_what_came();
    void require_not_ended() const;

    boost::asio::ip::tcp::socket socket_;
    SessionHost& host_;
    std::string peer_;
    LogFrameReader frames_;
    OpenLog request_;
    std::unique_ptr<StoredLog> log_;
    MonoTime durable_due_ = MonoTime::max();
    std::string ended_;  ///< why, if from outside
};

}  // namespace groma
