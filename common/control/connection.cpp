#include "common/control/connection.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <tuple>

#include "common/access/tls.hpp"
#include "common/base/errors.hpp"
#include "common/control/endpoint.hpp"
#include "common/control/message_frame.hpp"
#include "common/control/watchdog.hpp"
#include "common/net/socket/peer_user.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;
using boost::system::error_code;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);

std::string in_words(Nanos span) {
    const auto ms = span / std::chrono::milliseconds(1);
    return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

std::string in_words(const error_code& error) {
    if (error == asio::error::eof or error == asio::error::broken_pipe) {
        return "closed the connection";
    }
    if (error == asio::error::connection_reset) {  // by its kernel, when it left words of ours unread
        return "closed the connection (reset)";
    }
    return "the connection broke: " + error.message();
}

std::string advice_for(int error, const SocketAddress& to, const Callee& callee) {
    if (error == ETIMEDOUT) {
        return "no answer: is the address right, and does a firewall drop what goes to TCP port " +
               std::to_string(to.port()) + "?";
    }
    if (error == EHOSTUNREACH or error == ENETUNREACH) {
        return "is the address right, is its host up, and is there a route to it (ip route get " + to.host_to_string() +
               ")?";
    }
    return "is " + std::string(callee.program) + " running there" +
           (callee.needs_open and not to.is_loopback() ? ", and was it started with --open or --open-to-anyone?" : "?");
}

/// Errors of a write after which what the peer sent before can still be read, and then why it went.
bool is_of_peer(const error_code& error) {
    return error == asio::error::broken_pipe or error == asio::error::connection_reset;
}

std::string name_of_peer(const asio::ip::tcp::socket& socket) {
    error_code error;
    const auto endpoint = socket.remote_endpoint(error);
    return error ? "a peer that is gone" : to_address(endpoint).to_string();
}

/// Marks that a write is under way, and wakes those that wait for its end.
class Turn {
public:
    Turn(bool& taken, Condition& next) : taken_(taken), next_(next) { taken_ = true; }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;
    ~Turn() {
        taken_ = false;
        next_.notify();
    }

private:
    bool& taken_;
    Condition& next_;
};

}  // namespace

ControlConnection::ControlConnection(ByteStream stream, const SessionTimes& times, Clock& clock)
    : stream_(std::move(stream)),
      clock_(clock),
      turn_(stream_.socket().get_executor()),
      silence_(times.silence),
      farewell_(times.farewell),
      peer_(name_of_peer(stream_.socket())) {
    ending_->socket_ = stream_.weak_socket();
    error_code ignored;
    stream_.socket().set_option(asio::ip::tcp::no_delay(true), ignored);
}

void ControlConnection::Ending::end(std::string why) {
    why_ = std::move(why);
    if (const auto socket = socket_.lock()) {
        error_code ignored;
        socket->shutdown(asio::ip::tcp::socket::shutdown_receive, ignored);
    }
}

void ControlConnection::expect_not_ended() const {
    if (not ending_->why_.empty()) {
        throw ProtocolError(peer_, ending_->why_);
    }
}

ControlConnection::ControlConnection(ByteStream stream, const SessionTimes& times, Clock& clock, ParsingThread* parsing)
    : ControlConnection(std::move(stream), times, clock) {
    greeting_ = times.greeting;
    longest_ = kMaxShortMessageBytes;
    parsing_ = parsing;
}

void ControlConnection::allow(std::size_t longest) {
    greeting_.reset();
    longest_ = longest;
}

asio::awaitable<ControlConnection> ControlConnection::connect(SocketAddress to, SessionTimes times, Clock& clock,
                                                              Callee callee, std::optional<OfferedKey> key) {
    ByteStream stream(asio::ip::tcp::socket(co_await asio::this_coro::executor));
    const Watchdog watchdog(stream.socket(), times.connecting, clock);
    const auto [error] = co_await stream.socket().async_connect(to_endpoint(to), kAsTuple);
    error_code unproved;
    if (not error and key) {
        unproved = co_await stream.prove(key->key);
    }
    if (error or watchdog.fired()) {
        const int number = watchdog.fired() ? ETIMEDOUT : error.value();
        throw SystemError("connect to the " + std::string(callee.what) + " at " + to.to_string(), number,
                          advice_for(number, to, callee));
    }
    if (unproved) {
        throw RunError("the " + std::string(callee.what) + " at " + to.to_string() + ' ' +
                       why_unproved(unproved, *key, callee.program));
    }
    co_return ControlConnection(std::move(stream), times, clock);
}

void ControlConnection::end(const std::string& why) {
    end_ = end_.empty() ? why : end_;
    close();
}

asio::awaitable<void> ControlConnection::write_piece(std::span<const char> piece) {
    if (not refused_) {
        const Watchdog watchdog(stream_.socket(), silence_, clock_);
        std::tie(refused_, std::ignore) = co_await stream_.write(asio::buffer(piece.data(), piece.size()));
        if (watchdog.fired()) {
            end("takes no more messages");
        } else if (refused_ and not is_of_peer(refused_)) {
            end(in_words(refused_));
        }
    }
    if (refused_) {
        throw ProtocolError(peer_, end_.empty() ? in_words(refused_) : end_);
    }
}

asio::awaitable<void> ControlConnection::write(const Message& message) {
    std::string text = serialize(message);
    co_await write_text(std::move(text), type_name(message));
}

asio::awaitable<void> ControlConnection::write_text(std::string text, std::string_view what) {
    const std::string frame = message_frame(text, what);
    while (writing_) {
        co_await turn_.wait();
    }
    const Turn turn(writing_, turn_);
    for (std::size_t done = 0; done < frame.size(); done += kPieceBytes) {
        co_await write_piece(std::span(frame).subspan(done, std::min(kPieceBytes, frame.size() - done)));
    }
}

asio::awaitable<void> ControlConnection::read_piece(std::span<char> piece) {
    expect_not_ended();
    const Watchdog watchdog(stream_.socket(), silence_, clock_);
    const auto [error, bytes] = co_await stream_.read(asio::buffer(piece.data(), piece.size()));
    if (error) {
        expect_not_ended();
        const bool reset = error == asio::error::eof and refused_ == asio::error::connection_reset;
        end(watchdog.fired() ? "was silent for " + in_words(silence_) : in_words(reset ? refused_ : error));
        throw ProtocolError(peer_, end_);
    }
}

asio::awaitable<std::string> ControlConnection::read_text() {
    if (not greeting_) {
        co_return co_await read_whole();
    }
    const Watchdog watchdog(stream_.socket(), *greeting_, clock_);
    try {
        std::string text = co_await read_whole();
        co_return text;
    } catch (const ProtocolError&) {
        if (not watchdog.fired()) {
            throw;
        }
    }
    throw ProtocolError(peer_, "did not greet within " + in_words(*greeting_));
}

asio::awaitable<std::string> ControlConnection::read_whole() {
    std::array<char, kMessageLengthBytes> head{};
    co_await read_piece(head);
    const std::size_t length = parse_message_length(head);
    if (length > longest_) {
        // Lengths that are text are too long.
        if (std::ranges::all_of(head, [](char c) { return c >= ' ' and c <= '~'; })) {
            throw ProtocolError(peer_, "does not speak Groma's control protocol: it began with '" +
                                           std::string(head.begin(), head.end()) + "'");
        }
        throw ProtocolError(peer_, "announced a message of " + std::to_string(length) + " bytes; at most " +
                                       std::to_string(longest_) + " are allowed" +
                                       (greeting_ ? " before the greeting" : "") +
                                       " (is it a Groma program of the same release?)");
    }
    std::string text;
    while (text.size() < length) {
        const std::size_t done = text.size();
        text.resize(std::min(length, done + kPieceBytes));
        co_await read_piece(std::span(text).subspan(done));
    }
    co_return text;
}

asio::awaitable<Message> ControlConnection::read_any() {
    Message message = co_await read_parsed(parse_message);
    co_return message;
}

asio::awaitable<Message> ControlConnection::read() {
    while (true) {
        Message message = co_await read_any();
        if (not std::holds_alternative<KeepAlive>(message)) {
            co_return message;
        }
    }
}

asio::awaitable<void> ControlConnection::close_with(Message last) {
    std::string text = serialize(last);
    co_await close_with_text(std::move(text));
}

asio::awaitable<void> ControlConnection::close_with_text(std::string last) {
    try {
        co_await write_text(std::move(last), "the last one");
        error_code error;
        stream_.socket().shutdown(asio::ip::tcp::socket::shutdown_send, error);
        const Watchdog watchdog(stream_.socket(), farewell_, clock_);
        std::array<char, 4096> unread{};
        while (not error) {
            std::tie(error, std::ignore) = co_await stream_.read_some(asio::buffer(unread));
        }
    } catch (const ProtocolError&) {
        // The peer is gone: it needs no last word.
    }
    close();
}

void ControlConnection::close() noexcept {
    error_code ignored;
    stream_.socket().close(ignored);
}

bool ControlConnection::is_private() const {
    return stream_.is_secret() or
           (peer_address().is_loopback() and user_at_other_end(local_address(), peer_address()) == ::geteuid());
}

SocketAddress ControlConnection::peer_address() const {
    error_code error;
    const auto endpoint = stream_.socket().remote_endpoint(error);
    return error ? SocketAddress{} : to_address(endpoint);
}

SocketAddress ControlConnection::local_address() const {
    error_code error;
    const auto endpoint = stream_.socket().local_endpoint(error);
    return error ? SocketAddress{} : to_address(endpoint);
}

}  // namespace groma
