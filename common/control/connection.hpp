// A control connection over TCP: messages in and out, with deadlines. For Asio coroutines; all calls on one connection
// come from one io_context thread. One coroutine may read while others write; messages never mix: a write waits for the
// one before it. Do not move a connection while a call is in progress.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "common/control/byte_stream.hpp"
#include "common/control/messages.hpp"
#include "common/control/parsing_thread.hpp"
#include "common/control/timer.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"

namespace groma {

/// The peer to connect to, for messages: "connect to the receiver at HOST:PORT".
struct Callee {
    std::string_view what = "receiver";
    std::string_view program = "groma-recv";
    bool needs_open = true;  ///< without --open it listens on loopback only
};

/// A peer that moves less than this within SessionTimes::silence is dead.
inline constexpr std::size_t kPieceBytes = 64U << 10U;

class ControlConnection {
public:
    /// The clock outlives the connection.
    ControlConnection(ByteStream stream, const SessionTimes& times, Clock& clock);
    ControlConnection(boost::asio::ip::tcp::socket socket, const SessionTimes& times, Clock& clock)
        : ControlConnection(ByteStream(std::move(socket)), times, clock) {}

    /// A connection from an untrusted peer to a daemon. Its first message must arrive within SessionTimes::greeting and
    /// has at most kMaxShortMessageBytes, until allow() is called. Longer messages are parsed on `parsing`, which
    /// outlives the connection; null: at once.
    ControlConnection(ByteStream stream, const SessionTimes& times, Clock& clock, ParsingThread* parsing);
    ControlConnection(boost::asio::ip::tcp::socket socket, const SessionTimes& times, Clock& clock,
                      ParsingThread* parsing)
        : ControlConnection(ByteStream(std::move(socket)), times, clock, parsing) {}

    /// Call after the peer's greeting: messages may have up to `longest` bytes from now on.
    void allow(std::size_t longest);

    /// Under TLS with `key`, if there is one. Throws: SystemError "connect to the receiver at HOST:PORT" with advice
    /// for the error; RunError if the peer does not take the key.
    static boost::asio::awaitable<ControlConnection> connect(SocketAddress to, SessionTimes times, Clock& clock,
                                                             Callee callee = {},
                                                             std::optional<OfferedKey> key = std::nullopt);

    /// Writes one message. Pass a named message (`const Message hello = Hello{...}; co_await
    /// connection.write(hello);`): g++ 12 destroys a temporary in a co_await expression twice if it is an aggregate
    /// with strings or comes from a ?: condition. This holds for all coroutines. Throws: ProtocolError if the peer is
    /// gone or takes no byte for SessionTimes::silence. What the peer sent before can still be read.
    boost::asio::awaitable<void> write(const Message& message);

    /// The same for a text of another protocol with this framing. Throws also: RunError, naming `what`, if the text is
    /// longer than kMaxMessageBytes.
    boost::asio::awaitable<void> write_text(std::string text, std::string_view what);

    /// Reads the text of the next message, of any protocol. Throws: ProtocolError, as read().
    boost::asio::awaitable<std::string> read_text();

    /// Reads a message and returns `parse(text, peer)`. Throws also: what `parse` throws.
    template <typename Parse>
    auto read_parsed(Parse parse) -> boost::asio::awaitable<std::invoke_result_t<Parse&, std::string, std::string>> {
        const std::string text = co_await read_text();
        if (parsing_ == nullptr or text.size() <= kMaxShortMessageBytes) {
            co_return parse(text, peer_);
        }
        const auto work = [this, &parse, &text] { return parse(text, peer_); };
        co_return co_await parsing_->run(text.size(), work);
    }

    /// Reads the next message other than KeepAlive. Any message, KeepAlive included, shows that the peer is alive.
    /// Throws: ProtocolError "closed the connection", "was silent for 4 s", "did not greet within 5 s", or the error in
    /// the message. Only in the last case can a reply still be written: a Refused with the reason. Memory for a message
    /// grows with the bytes that have arrived, not with its stated length.
    boost::asio::awaitable<Message> read();

    /// Reads as read(), but also returns KeepAlive.
    boost::asio::awaitable<Message> read_any();

    /// Writes a last message and closes the connection after the peer has closed it (or after SessionTimes::farewell).
    /// Closing at once could lose the message to a reset, if the peer is still sending. Never throws for what the peer
    /// does.
    boost::asio::awaitable<void> close_with(Message last);
    boost::asio::awaitable<void> close_with_text(std::string last);

    void close() noexcept;
    /// Gives the stream away, without its thread's io_context: ByteStream::release().
    [[nodiscard]] ByteStream::Released release() noexcept { return stream_.release(); }
    /// Whether writing is still possible.
    [[nodiscard]] bool is_open() const { return stream_.socket().is_open() and not refused_; }

    /// Ends a connection from elsewhere on its thread, as long as it lives.
    class Ending {
    public:
        /// Who waits for the peer, or will, gets ProtocolError with the reason, and may still write a last message.
        void end(std::string why);

    private:
        friend class ControlConnection;
        std::weak_ptr<boost::asio::ip::tcp::socket> socket_{};
        std::string why_{};
    };
    [[nodiscard]] std::weak_ptr<Ending> ending() const { return ending_; }
    /// Empty: it was not.
    [[nodiscard]] const std::string& why_ended() const { return ending_->why_; }

    /// The key that the peer has proved, and what it may do with it; nothing: it was not asked for one.
    void set_grant(Grant grant) { grant_ = std::move(grant); }
    [[nodiscard]] const std::optional<Grant>& grant() const { return grant_; }
    /// For messages: "10.0.0.1:4711 with the key lab".
    [[nodiscard]] std::string caller() const { return grant_ ? peer_ + " with the key " + grant_->name : peer_; }

    /// Others cannot read along, and the peer is known: it has proved a key, or is a program of this user on this host.
    [[nodiscard]] bool is_private() const;

    [[nodiscard]] const std::string& peer() const { return peer_; }  ///< "10.0.0.2:9000"
    [[nodiscard]] SocketAddress peer_address() const;
    [[nodiscard]] SocketAddress local_address() const;

private:
    boost::asio::awaitable<std::string> read_whole();
    boost::asio::awaitable<void> read_piece(std::span<char> piece);
    boost::asio::awaitable<void> write_piece(std::span<const char> piece);
    void end(const std::string& why);
    void expect_not_ended() const;

    ByteStream stream_;
    std::shared_ptr<Ending> ending_ = std::make_shared<Ending>();
    Clock& clock_;
    Condition turn_;  ///< notified when a write has ended
    bool writing_ = false;
    boost::system::error_code refused_;  ///< of the write that failed; no write follows it
    std::string end_;                    ///< why the socket was closed before close(); all later calls report it
    Nanos silence_;
    Nanos farewell_;
    std::optional<Nanos> greeting_;  ///< deadline until the peer has greeted
    std::size_t longest_ = kMaxMessageBytes;
    ParsingThread* parsing_ = nullptr;  ///< null: parse at once
    std::optional<Grant> grant_;
    std::string peer_;
};

}  // namespace groma
