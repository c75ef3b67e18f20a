#include "logserver/log_session.hpp"

#include <netinet/in.h>
#include <netinet/tcp.h>

#include <algorithm>
#include <array>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <optional>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/net/socket_address.hpp"

namespace groma {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

std::string name_of_peer(const tcp::socket& socket) {
    boost::system::error_code error;
    const auto endpoint = socket.remote_endpoint(error);
    return error ? std::string("a client")
                 : SocketAddress(endpoint.data(), static_cast<socklen_t>(endpoint.size())).to_string();
}

/// A host that vanished without a word is noticed after half a minute.
void watch_for_dead_hosts(tcp::socket& socket) {
    boost::system::error_code ignored;
    socket.set_option(asio::socket_base::keep_alive(true), ignored);
    const auto set = [&](int option, int value) {
        ::setsockopt(socket.native_handle(), IPPROTO_TCP, option, &value, sizeof value);
    };
    set(TCP_KEEPIDLE, 10);
    set(TCP_KEEPINTVL, 5);
    set(TCP_KEEPCNT, 4);
    set(TCP_NODELAY, 1);
}

}  // namespace

LogSession::LogSession(tcp::socket socket, SessionHost& host)
    : socket_(std::move(socket)), host_(host), peer_(name_of_peer(socket_)), frames_(peer_, kMaxOtherFrame) {
    socket_.non_blocking(true);
    watch_for_dead_hosts(socket_);
}

asio::awaitable<void> LogSession::run() {
    std::string trouble;
    try {
        co_await serve();
    } catch (const std::exception& error) {
        trouble = ended_.empty() ? error.what() : ended_;
    }
    if (trouble.empty()) {
        co_return;
    }
    if (trouble.starts_with(peer_ + ": ")) {
        trouble.erase(0, peer_.size() + 2);
    }
    host_.report(peer_ + (log_ ? " (" + request_.experiment + "/" + request_.name + ")" : "") + ": " + trouble);
    if (log_) {
        log_->give_up(trouble);
        log_.reset();
    }
    try {
        co_await say_farewell(trouble);
    } catch (const std::exception&) {
        // Whoever does not want to hear it need not.
    }
}

void LogSession::end(const std::string& reason) noexcept {
    ended_ = reason;
    if (log_) {
        log_->give_up(reason);
        log_.reset();
    }
    boost::system::error_code ignored;
    socket_.close(ignored);
}

bool LogSession::writes(const std::string& experiment, const std::string& name) const {
    return log_ and request_.experiment == experiment and request_.name == name;
}

asio::awaitable<void> LogSession::serve() {
    co_await greet();
    for (;;) {
        const LogFrame frame = co_await next_frame();
        if (const auto* piece = std::get_if<LogPiece>(&frame)) {
            log_->append(*piece);
            if (log_->unsynced_bytes() >= host_.limits().durable_bytes) {
                co_await make_durable();
            } else if (durable_due_ == MonoTime::max()) {
                durable_due_ = host_.clock().now() + host_.limits().durable_every;
            }
        } else if (const auto* totals = std::get_if<CloseLog>(&frame)) {
            co_await close_log(*totals);
            co_return;
        } else {
            throw ProtocolError(peer_, "sent what the writer of a log does not send");
        }
    }
}

asio::awaitable<void> LogSession::greet() {
    const MonoTime deadline = host_.clock().now() + host_.limits().greeting;
    const LogFrame first = co_await greeting_frame(deadline);
    const auto* hello = std::get_if<ShipperHello>(&first);
    if (hello == nullptr) {
        throw ProtocolError(peer_, "did not greet as a shipper of logs does");
    }
    if (hello->version != kLogProtocolVersion) {
        throw LogRefusal("this log server speaks version " + std::to_string(kLogProtocolVersion) +
                         " of the log protocol, the writer version " + std::to_string(hello->version));
    }
    const LogFrame welcome = ServerWelcome{};
    co_await say(welcome);
    const LogFrame frame = co_await greeting_frame(deadline);
    const auto* request = std::get_if<OpenLog>(&frame);
    if (request == nullptr) {
        throw ProtocolError(peer_, "began with something else than the opening of a log");
    }
    request_ = *request;
    log_ = host_.open_log(request_, *this);
    frames_.allow(kMaxPieceFrame);
    host_.report(peer_ + ": writes " + request_.experiment + "/" + request_.name +
                 (log_->pieces() > 0 ? " from piece " + std::to_string(log_->pieces()) + " on" : ""));
    const LogFrame opened = LogOpened{request_.log, log_->pieces()};
    co_await say(opened);
}

asio::awaitable<LogFrame> LogSession::greeting_frame(MonoTime deadline) {
    for (;;) {
        if (auto frame = frames_.next()) {
            co_return *std::move(frame);
        }
        if (not co_await wait_until_ready(tcp::socket::wait_read, deadline)) {
            throw ProtocolError(peer_, "connected but opened no log");
        }
        take_what_came();
    }
}

asio::awaitable<LogFrame> LogSession::next_frame() {
    const MonoTime silent_at = host_.clock().now() + host_.limits().silence;
    for (;;) {
        if (auto frame = frames_.next()) {
            co_return *std::move(frame);
        }
        if (host_.clock().now() >= durable_due_) {
            co_await make_durable();
        }
        if (co_await wait_until_ready(tcp::socket::wait_read, std::min(silent_at, durable_due_))) {
            take_what_came();
        } else if (host_.clock().now() >= silent_at) {
            throw ProtocolError(peer_, "was silent for too long");
        }
    }
}

asio::awaitable<void> LogSession::make_durable() {
    durable_due_ = MonoTime::max();
    const LogFrame durable = LogDurable{request_.log, log_->make_durable()};
    co_await say(durable);
}

asio::awaitable<void> LogSession::close_log(const CloseLog& totals) {
    log_->close(totals);
    host_.report(peer_ + ": completed " + request_.experiment + "/" + request_.name + " (" +
                 std::to_string(totals.bytes) + " bytes)");
    log_.reset();
    const LogFrame closed = LogClosed{request_.log};
    co_await say(closed);
}

asio::awaitable<void> LogSession::say(const LogFrame& frame) {
    const auto bytes = serialize(frame);
    const MonoTime deadline = host_.clock().now() + host_.limits().writing;
    for (std::size_t done = 0; done < bytes.size();) {
        boost::system::error_code error;
        done += socket_.write_some(asio::buffer(bytes.data() + done, bytes.size() - done), error);
        if (error == asio::error::would_block) {
            if (not co_await wait_until_ready(tcp::socket::wait_write, deadline)) {
                throw ProtocolError(peer_, "does not read what it is answered");
            }
        } else if (error) {
            throw ProtocolError(peer_, "cannot be answered: " + error.message());
        }
    }
}

asio::awaitable<void> LogSession::say_farewell(const std::string& reason) {
    if (not socket_.is_open()) {
        co_return;
    }
    const MonoTime deadline = host_.clock().now() + host_.limits().farewell;
    // Named, as all frames here: g++ 12 destroys aggregates that are temporaries of a co_await twice.
    const LogFrame refused = LogRefused{kWholeConnection, false, plain_text(reason)};
    co_await say(refused);
    socket_.shutdown(tcp::socket::shutdown_send);
    // Closing with unread bytes resets the connection, and the reason would be lost on the way.
    std::array<std::byte, 4096> ignored{};
    boost::system::error_code error;
    while (not error and co_await wait_until_ready(tcp::socket::wait_read, deadline)) {
        socket_.read_some(asio::buffer(ignored), error);
        if (error == asio::error::would_block) {
            error.clear();
        }
    }
}

asio::awaitable<bool> LogSession::wait_until_ready(tcp::socket::wait_type event, MonoTime deadline) {
    using namespace asio::experimental::awaitable_operators;  // NOLINT(google-build-using-namespace)
    asio::steady_timer timer(socket_.get_executor(), std::max(deadline - host_.clock().now(), Nanos(0)));
    // A wait that fails must end the race as well: what is wrong shows when the socket is used next.
    boost::system::error_code error;
    const auto first = co_await (socket_.async_wait(event, asio::redirect_error(asio::use_awaitable, error)) ||
                                 timer.async_wait(asio::use_awaitable));
    require_not_ended();
    co_return first.index() == 0;
}

void LogSession::require_not_ended() const {
    if (not ended_.empty()) {
        throw ProtocolError(peer_, ended_);
    }
}

void LogSession::take_what_came() {
    const auto space = frames_.space();
    boost::system::error_code error;
    const std::size_t got = socket_.read_some(asio::buffer(space.data(), space.size()), error);
    frames_.filled(got);
    if (error == asio::error::eof) {
        throw ProtocolError(peer_, "closed the connection before the log was complete");
    }
    if (error and error != asio::error::would_block) {
        throw ProtocolError(peer_, "connection lost: " + error.message());
    }
}

}  // namespace groma
