#include "logserver/log_server.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <csignal>
#include <set>
#include <utility>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// After accept() failed for want of descriptors or memory.
constexpr auto kAcceptPause = std::chrono::milliseconds(100);

}  // namespace

class LogServer::Impl final : public SessionHost {
public:
    Impl(LogServerSettings settings, Clock& time)
        : settings_(std::move(settings)), clock_(time), store_(settings_.directory, settings_.max_log_bytes, clock_) {
        for (FileDescriptor& socket : open_listeners(addresses_to_listen_on(settings_.listen))) {
            addresses_.push_back(bound_address(socket));
            const auto protocol = addresses_.back().family() == AF_INET6 ? tcp::v6() : tcp::v4();
            // The acceptor owns a duplicate, the original is closed at the end of this turn.
            acceptors_.emplace_back(io_, protocol,
                                    checked("duplicate a socket", ::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0)));
        }
        for (tcp::acceptor& acceptor : acceptors_) {
            asio::co_spawn(io_, accept(acceptor), asio::detached);
        }
    }

    [[nodiscard]] std::unique_ptr<StoredLog> open_log(const OpenLog& request, LogSession& session) override {
        for (LogSession* other : sessions_) {
            if (other != &session and other->writes(request.experiment, request.name)) {
                if (other->token() != request.token) {
                    throw LogRefusal("the log '" + request.name + "' of the experiment '" + request.experiment +
                                     "' is being written by another program; choose another name");
                }
                other->end("its writer came back on another connection");
                break;
            }
        }
        return store_.open(request);
    }

    void report(const std::string& line) override {
        if (settings_.report) {
            settings_.report(line);
        }
    }
    [[nodiscard]] Clock& clock() override { return clock_; }
    [[nodiscard]] const SessionLimits& limits() const override { return settings_.limits; }

    [[nodiscard]] const std::vector<SocketAddress>& addresses() const { return addresses_; }

    void stop_on_signals() {
        signals_.add(SIGINT);
        signals_.add(SIGTERM);
        signals_.async_wait([this](const boost::system::error_code& error, int) {
            if (not error) {
                end_all();
            }
        });
    }

    void run() { io_.run(); }
    void stop() {
        asio::post(io_, [this] { end_all(); });
    }

private:
    void end_all() {
        boost::system::error_code ignored;
        for (tcp::acceptor& acceptor : acceptors_) {
            acceptor.close(ignored);
        }
        signals_.cancel(ignored);
        for (LogSession* session : sessions_) {
            session->end("the log server was stopped");
        }
    }

    asio::awaitable<void> accept(tcp::acceptor& acceptor) {
        while (acceptor.is_open()) {
            boost::system::error_code error;
            tcp::socket socket = co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
            if (not error) {
                welcome(std::move(socket));
            } else if (acceptor.is_open()) {
                report("cannot accept a connection: " + error.message());
                asio::steady_timer pause(io_, kAcceptPause);
                co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
            }
        }
    }

    void welcome(tcp::socket socket) {
        if (sessions_.size() < settings_.max_sessions) {
            asio::co_spawn(io_, serve(std::move(socket)), asio::detached);
            return;
        }
        boost::system::error_code ignored;
        socket.non_blocking(true, ignored);
        const auto bytes =
            serialize(LogRefused{kWholeConnection, true,
                                 "the log server has as many connections as it takes (" +
                                     std::to_string(settings_.max_sessions) + "; see groma-log --max-sessions)"});
        socket.write_some(asio::buffer(bytes), ignored);
        socket.shutdown(tcp::socket::shutdown_send, ignored);
    }

    asio::awaitable<void> serve(tcp::socket socket) {
        try {
            LogSession session(std::move(socket), *this);
            const Registration registration(sessions_, &session);
            co_await session.run();
        } catch (const std::exception& error) {
            report(std::string("a session ended: ") + error.what());
        }
    }

    /// In the set for as long as it lives.
    class Registration {
    public:
        Registration(std::set<LogSession*>& sessions, LogSession* session) : sessions_(sessions), session_(session) {
            sessions_.insert(session_);
        }
        Registration(const Registration&) = delete;
        Registration& operator=(const Registration&) = delete;
        ~Registration() { sessions_.erase(session_); }

    private:
        std::set<LogSession*>& sessions_;
        LogSession* session_;
    };

    LogServerSettings settings_;
    Clock& clock_;
    LogStore store_;
    std::vector<SocketAddress> addresses_;
    std::set<LogSession*> sessions_;
    asio::io_context io_{1};
    std::vector<tcp::acceptor> acceptors_;
    asio::signal_set signals_{io_};
};

LogServer::LogServer(LogServerSettings settings, Clock& clock)
    : impl_(std::make_unique<Impl>(std::move(settings), clock)) {}
LogServer::~LogServer() = default;

const std::vector<SocketAddress>& LogServer::addresses() const {
    return impl_->addresses();
}
void LogServer::stop_on_signals() {
    impl_->stop_on_signals();
}
void LogServer::run() {
    impl_->run();
}
void LogServer::stop() {
    impl_->stop();
}

}  // namespace groma
