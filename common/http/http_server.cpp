#include "common/http/http_server.hpp"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <boost/asio/as_tuple.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/beast/http/write.hpp>
#include <list>
#include <optional>
#include <utility>

#include "common/access/tls.hpp"
#include "common/base/errors.hpp"
#include "common/control/connection_gate.hpp"
#include "common/control/control_listeners.hpp"
#include "common/control/endpoint.hpp"
#include "common/control/lobby.hpp"
#include "common/control/task_group.hpp"
#include "common/control/timer.hpp"
#include "common/control/watchdog.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = boost::beast::http;
using boost::system::error_code;
using Parser = http::request_parser<http::string_body>;
using Request = http::request<http::string_body>;
using Response = http::response<http::string_body>;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);
constexpr std::size_t kFirstBytes = 1024;  // of a request, read at once
constexpr unsigned kHttp11 = 11;

/// The bytes of a connection, in clear or under TLS: as Asio and Beast read and write them.
class HttpStream {
public:
    using executor_type = asio::ip::tcp::socket::executor_type;

    explicit HttpStream(asio::ip::tcp::socket& socket) : socket_(socket) {}

    [[nodiscard]] executor_type get_executor() { return socket_.get_executor(); }

    /// From now on under TLS. Returns: whether the handshake was done.
    asio::awaitable<error_code> shake_hands(const std::shared_ptr<asio::ssl::context>& context) {
        tls_.emplace(socket_, *context);
        const auto [error] = co_await tls_->async_handshake(asio::ssl::stream_base::server, kAsTuple);
        co_return error;
    }

    /// Tells a peer under TLS that nothing more comes.
    asio::awaitable<void> end() {
        if (tls_) {
            static_cast<void>(co_await tls_->async_shutdown(kAsTuple));
        }
    }

    template <typename Buffers, typename Token>
    auto async_read_some(const Buffers& buffers, Token&& token) {
        return tls_ ? tls_->async_read_some(buffers, std::forward<Token>(token))
                    : socket_.async_read_some(buffers, std::forward<Token>(token));
    }

    template <typename Buffers, typename Token>
    auto async_write_some(const Buffers& buffers, Token&& token) {
        return tls_ ? tls_->async_write_some(buffers, std::forward<Token>(token))
                    : socket_.async_write_some(buffers, std::forward<Token>(token));
    }

private:
    asio::ip::tcp::socket& socket_;
    std::optional<asio::ssl::stream<asio::ip::tcp::socket&>> tls_{};  ///< nothing: in clear
};

constexpr GateWords kHttpGateWords{.daemon = "this page", .connection = "connection"};

/// Of all fields of this name.
std::string joined(const Request& message, http::field name, std::string_view between) {
    std::string text;
    const auto [first, last] = message.equal_range(name);
    std::for_each(first, last, [&text, between](const auto& field) {
        text += text.empty() ? "" : between;
        text += std::string_view(field.value());
    });
    return text;
}

HttpRequest request_of(const Request& message) {
    HttpRequest request{.method = std::string(message.method_string()),
                        .target = std::string(message.target()),
                        .host = message.count(http::field::host) == 1 ? std::string(message[http::field::host]) : ""};
    request.accept = joined(message, http::field::accept, ",");
    request.origin = joined(message, http::field::origin, " ");
    request.authorization = joined(message, http::field::authorization, ",");
    request.cookie = joined(message, http::field::cookie, ";");
    request.fetch_site = joined(message, http::field::sec_fetch_site, ",");
    request.fetch_mode = joined(message, http::field::sec_fetch_mode, ",");
    request.body = message.body();
    return request;
}

/// What to tell a peer whose request cannot be read; nothing: it is gone, or too slow.
std::optional<HttpResponse> refusal_of(const error_code& error) {
    if (error == http::error::header_limit or error == http::error::buffer_overflow) {
        return http_refusal(http_status::header_too_large, "the request is too long");
    }
    if (error == http::error::unexpected_body or error == http::error::body_limit) {
        return http_refusal(http_status::body_too_large, "a request may have no body here");
    }
    const bool is_of_http = error.category() == make_error_code(http::error::bad_method).category();
    const bool went = error == http::error::end_of_stream or error == http::error::partial_message;
    return is_of_http and not went
               ? std::optional(http_refusal(http_status::bad_request, "this is no request of HTTP/1.1"))
               : std::nullopt;
}

/// All of the response but its body.
template <typename Body>
http::response<Body> header_of(const HttpResponse& answer, bool keep_alive) {
    http::response<Body> response;
    response.version(kHttp11);
    response.result(answer.status);
    response.set(http::field::content_type, answer.content_type);
    response.set(http::field::cache_control, "no-store");
    response.set("X-Content-Type-Options", "nosniff");
    response.set("Referrer-Policy", "same-origin");
    response.set("Cross-Origin-Resource-Policy", "same-origin");
    response.set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
    if (not answer.allow.empty()) {
        response.set(http::field::allow, answer.allow);
    }
    for (const auto& [name, value] : answer.fields) {
        response.set(name, value);
    }
    response.keep_alive(keep_alive);
    return response;
}

Response response_of(HttpResponse answer, bool keep_alive) {
    Response response = header_of<http::string_body>(answer, keep_alive);
    response.body() = std::move(answer.body);
    response.prepare_payload();
    return response;
}

/// A peer that has closed its side reads no more pieces. Requires: the socket does not block.
bool has_gone(asio::ip::tcp::socket& socket) {
    std::array<char, 1> next{};
    error_code error;
    (void)socket.receive(asio::buffer(next), asio::ip::tcp::socket::message_peek, error);
    return error and error != asio::error::would_block;
}

}  // namespace

struct HttpServer::State {
    struct Connection {
        explicit Connection(Caller caller) : socket(std::move(caller.socket)), slot(std::move(caller.slot)) {}
        Connection(const Connection&) = delete;
        Connection& operator=(const Connection&) = delete;

        asio::ip::tcp::socket socket;
        HttpStream stream{socket};
        SocketAddress peer{};
        SocketAddress local{};
        Admission::Slot slot;
        std::unique_ptr<Lobby::Place> place{};  ///< of one from another host that has proved no token
        bool idle = true;                       ///< waits for a request
        MonoTime idle_since{};
        std::optional<MonoTime> streams_since{};  ///< nothing: its answer is whole
    };

    State(asio::io_context& its_io, HttpServerOptions given, Clock& its_clock)
        : io(its_io),
          options(std::move(given)),
          clock(its_clock),
          listeners(listen_all(io, options.listen, options.advice)),
          // One more than there may be: a new one takes the place of one that is idle.
          gate(clock, {.slots = most(), .slots_of_host = most(), .refused = 0}, kHttpGateWords, options.say),
          lobby(options.limits.strangers) {
        if (not is_beyond_this_host(options.listen)) {
            options.access = nullptr;
        } else {
            check(options.access != nullptr, "who asks from another host proves a token");
        }
    }

    [[nodiscard]] std::size_t most() const {
        // Those that have to go are there for a moment.
        return options.limits.connections + 1 + (options.access == nullptr ? 0 : 2 * options.limits.strangers);
    }
    void take(Caller caller);
    /// For one more that has proved what it has to. Returns: whether there is.
    bool make_room();
    /// Returns: whether there is TLS.
    asio::awaitable<bool> shake_hands(Connection& connection);
    asio::awaitable<void> refuse_clear_text(Connection& connection);
    asio::awaitable<void> serve(std::list<Connection>::iterator connection);
    asio::awaitable<void> converse(Connection& connection);
    /// Returns: whether a request comes; its first bytes are in the buffer, which is empty before.
    asio::awaitable<bool> await_request(Connection& connection, beast::flat_buffer& buffer);
    /// Returns: whether the connection goes on.
    asio::awaitable<bool> answer_next(Connection& connection, beast::flat_buffer& buffer);
    asio::awaitable<bool> write(Connection& connection, Response response, bool with_body);
    /// Writes an answer that comes in pieces.
    asio::awaitable<void> stream(Connection& connection, HttpResponse answer, bool with_body);
    /// An empty one is the end.
    asio::awaitable<bool> write_piece(Connection& connection, const std::string& piece);
    void end_oldest_stream();
    asio::awaitable<void> part_from(Connection& connection);
    /// Of a form. Returns: what went wrong.
    asio::awaitable<error_code> read_body(Connection& connection, beast::flat_buffer& buffer, Parser& parser);
    [[nodiscard]] HttpResponse answer(const HttpRequest& request);
    /// The same where a token is to be proved, which gives the connection a place for good.
    [[nodiscard]] HttpResponse answer_proved(Connection& connection, HttpRequest request, bool& goes_on);
    void stop();

    asio::io_context& io;
    HttpServerOptions options;
    Clock& clock;
    ControlListeners listeners;
    ConnectionGate gate;
    Lobby lobby;
    TaskGroup tasks{io.get_executor()};
    std::list<Connection> connections;
    bool stopping = false;
};

bool HttpServer::State::make_room() {
    const auto counts = [](const Connection& one) { return one.place == nullptr; };
    if (static_cast<std::size_t>(std::ranges::count_if(connections, counts)) < options.limits.connections) {
        return true;
    }
    const auto may_go = [&counts](const Connection& one) { return counts(one) and one.idle and one.socket.is_open(); };
    const auto idler = std::ranges::min_element(
        connections, {}, [&may_go](const Connection& one) { return may_go(one) ? one.idle_since : MonoTime::max(); });
    if (not may_go(*idler)) {
        return false;  // all are busy, each for a limited time
    }
    error_code ignored;
    idler->socket.close(ignored);
    return true;
}

void HttpServer::State::take(Caller caller) {
    if (options.access == nullptr and not make_room()) {
        return;
    }
    const auto connection = connections.emplace(connections.end(), std::move(caller));
    connection->idle_since = clock.now();
    error_code error;
    connection->peer = to_address(connection->socket.remote_endpoint(error));
    connection->local = to_address(connection->socket.local_endpoint(error));
    if (options.access != nullptr) {
        const auto leave = [connection] {
            error_code ignored;
            connection->socket.close(ignored);
        };
        connection->place.reset(new Lobby::Place(lobby.enter(source_of(connection->peer), leave)));
    }
    tasks.spawn(serve(connection));
}

asio::awaitable<void> HttpServer::State::serve(std::list<Connection>::iterator connection) {
    try {
        co_await converse(*connection);
    } catch (const std::exception& error) {
        options.say(std::string("a request for a page ended with an error: ") + error.what());
    }
    connections.erase(connection);
}

asio::awaitable<void> HttpServer::State::converse(Connection& connection) {
    error_code ignored;
    connection.socket.set_option(asio::ip::tcp::no_delay(true), ignored);
    if (options.access != nullptr and not co_await shake_hands(connection)) {
        co_return;
    }
    beast::flat_buffer buffer(options.limits.header_bytes);
    bool goes_on = true;
    while (goes_on and not stopping) {
        if (buffer.size() == 0) {
            goes_on = co_await await_request(connection, buffer);
        }
        if (goes_on) {
            goes_on = co_await answer_next(connection, buffer);
        }
    }
    co_await part_from(connection);
}

asio::awaitable<bool> HttpServer::State::shake_hands(Connection& connection) {
    const Watchdog watchdog(connection.socket, options.limits.request, clock);
    auto [error] = co_await connection.socket.async_wait(asio::ip::tcp::socket::wait_read, kAsTuple);
    char first = 0;
    if (error or ::recv(connection.socket.native_handle(), &first, 1, MSG_PEEK | MSG_DONTWAIT) != 1) {
        co_return false;
    }
    if (first != kFirstByteOfTls) {
        co_await refuse_clear_text(connection);
        co_return false;
    }
    const auto context = options.access->tls();
    error = co_await connection.stream.shake_hands(context);
    if (error.category() == asio::error::get_ssl_category()) {
        options.access->turn_away(connection.peer, "its TLS does not go with that of this page: " + error.message());
    }
    co_return not error and connection.socket.is_open();
}

asio::awaitable<void> HttpServer::State::refuse_clear_text(Connection& connection) {
    Response response = response_of(
        http_refusal(http_status::bad_request, "this is answered under TLS only: ask with https:// instead"), false);
    if (co_await write(connection, std::move(response), true)) {
        co_await part_from(connection);
    }
}

asio::awaitable<bool> HttpServer::State::await_request(Connection& connection, beast::flat_buffer& buffer) {
    connection.idle = true;
    connection.idle_since = clock.now();
    const Watchdog watchdog(connection.socket,
                            connection.place == nullptr ? options.limits.idle : options.limits.request, clock);
    // Under TLS the stream may have the request already, and the socket nothing more to wait for.
    const auto space = buffer.prepare(kFirstBytes);
    const auto [error, bytes] = co_await connection.stream.async_read_some(space, kAsTuple);
    buffer.commit(bytes);
    co_return not error and connection.socket.is_open();
}

asio::awaitable<bool> HttpServer::State::answer_next(Connection& connection, beast::flat_buffer& buffer) {
    Parser parser;
    parser.header_limit(static_cast<std::uint32_t>(options.limits.header_bytes));
    parser.body_limit(kLargestForm);
    error_code error;
    {
        const Watchdog watchdog(connection.socket, options.limits.request, clock);
        std::tie(error, std::ignore) = co_await http::async_read_header(connection.stream, buffer, parser, kAsTuple);
    }
    if (not error and parser.get().count(http::field::transfer_encoding) > 0 and not parser.chunked()) {
        error = http::error::bad_transfer_encoding;  // Beast takes it for no body (RFC 9112, 6.1)
    }
    if (not error and not parser.is_done()) {
        error = co_await read_body(connection, buffer, parser);
    }
    if (error) {
        std::optional<HttpResponse> refusal = refusal_of(error);
        if (refusal and connection.socket.is_open()) {
            Response response = response_of(*std::move(refusal), false);
            co_await write(connection, std::move(response), true);
        }
        co_return false;
    }
    connection.idle = false;  // who has only begun to ask makes room as well
    bool goes_on = parser.get().keep_alive() and not stopping;
    const bool with_body = parser.get().method() != http::verb::head;
    HttpResponse answered = options.access == nullptr ? answer(request_of(parser.get()))
                                                      : answer_proved(connection, request_of(parser.get()), goes_on);
    if (answered.more) {
        co_await stream(connection, std::move(answered), with_body);
        co_return false;
    }
    Response response = response_of(std::move(answered), goes_on);
    const bool written = co_await write(connection, std::move(response), with_body);
    co_return written and goes_on;
}

asio::awaitable<error_code> HttpServer::State::read_body(Connection& connection, beast::flat_buffer& buffer,
                                                         Parser& parser) {
    if (options.access == nullptr or not WebAccess::takes_form(request_of(parser.get()))) {
        co_return http::error::unexpected_body;  // which need not have come
    }
    const Watchdog watchdog(connection.socket, options.limits.request, clock);
    const auto [error, bytes] = co_await http::async_read(connection.stream, buffer, parser, kAsTuple);
    co_return error;
}

asio::awaitable<bool> HttpServer::State::write(Connection& connection, Response response, bool with_body) {
    const Watchdog watchdog(connection.socket, options.limits.request, clock);
    http::serializer<false, http::string_body> serializer(response);
    error_code error;
    if (with_body) {
        std::tie(error, std::ignore) = co_await http::async_write(connection.stream, serializer, kAsTuple);
    } else {
        std::tie(error, std::ignore) = co_await http::async_write_header(connection.stream, serializer, kAsTuple);
    }
    co_return not error and connection.socket.is_open();
}

void HttpServer::State::end_oldest_stream() {
    const auto streams = [](const Connection& one) { return one.streams_since and one.socket.is_open(); };
    if (static_cast<std::size_t>(std::ranges::count_if(connections, streams)) < options.limits.streams) {
        return;
    }
    error_code ignored;
    std::ranges::min_element(connections, {}, [&](const Connection& one) {
        return streams(one) ? *one.streams_since : MonoTime::max();
    })->socket.close(ignored);
}

// In chunks, so that who reads sees whether it is the end, or was cut off.
asio::awaitable<void> HttpServer::State::stream(Connection& connection, HttpResponse answer, bool with_body) {
    end_oldest_stream();
    connection.streams_since = clock.now();
    error_code error;
    connection.socket.non_blocking(true, error);
    {
        const Watchdog watchdog(connection.socket, options.limits.request, clock);
        auto header = header_of<http::empty_body>(answer, false);
        header.chunked(true);
        http::serializer<false, http::empty_body> serializer(header);
        std::tie(error, std::ignore) = co_await http::async_write_header(connection.stream, serializer, kAsTuple);
    }
    Timer pause(io.get_executor(), clock);
    bool goes_on = not error and with_body;
    if (goes_on and not answer.body.empty()) {
        goes_on = co_await write_piece(connection, answer.body);
    }
    MonoTime wrote = clock.now();
    while (goes_on and not stopping and connection.socket.is_open() and not has_gone(connection.socket)) {
        std::optional<std::string> piece = answer.more();
        if (piece and piece->empty() and clock.now() - wrote >= options.limits.heartbeat) {
            piece = answer.heartbeat;
        }
        if (piece and piece->empty()) {
            co_await pause.pause(options.limits.stream_pause);
            continue;
        }
        goes_on = co_await write_piece(connection, piece.value_or("")) and piece;
        wrote = clock.now();
    }
}

asio::awaitable<bool> HttpServer::State::write_piece(Connection& connection, const std::string& piece) {
    const Watchdog watchdog(connection.socket, options.limits.request, clock);
    error_code error;
    if (piece.empty()) {
        std::tie(error, std::ignore) = co_await asio::async_write(connection.stream, http::make_chunk_last(), kAsTuple);
    } else {
        const auto chunk = http::make_chunk(asio::const_buffer(piece.data(), piece.size()));
        std::tie(error, std::ignore) = co_await asio::async_write(connection.stream, chunk, kAsTuple);
    }
    co_return not error and connection.socket.is_open();
}

// Closed with unread bytes, it would be reset, and its peer perhaps not read the answer.
asio::awaitable<void> HttpServer::State::part_from(Connection& connection) {
    const Watchdog watchdog(connection.socket, options.limits.farewell, clock);
    co_await connection.stream.end();
    error_code error;
    connection.socket.shutdown(asio::ip::tcp::socket::shutdown_send, error);
    std::array<char, 4096> unread{};
    while (not error) {
        std::tie(error, std::ignore) = co_await connection.socket.async_read_some(asio::buffer(unread), kAsTuple);
    }
}

HttpResponse HttpServer::State::answer(const HttpRequest& request) {
    try {
        if (options.access == nullptr) {
            if (auto refusal = refusal_beyond_this_host(request)) {
                return *std::move(refusal);
            }
        }
        return options.routes.answer(request);
    } catch (const std::exception& error) {
        options.say(std::string("cannot make a page that was asked for: ") + error.what());
        return http_refusal(http_status::server_error, "this page could not be made: the program's own lines say why");
    }
}

HttpResponse HttpServer::State::answer_proved(Connection& connection, HttpRequest request, bool& goes_on) {
    request.peer = connection.peer;
    request.local = connection.local;
    WebVerdict verdict = options.access->judge(request, options.scope);
    goes_on = goes_on and not verdict.last;
    if (not verdict.token.empty() and connection.place != nullptr) {
        if (not make_room()) {
            goes_on = false;
            return http_refusal(http_status::unavailable, "all connections are busy: ask again later");
        }
        connection.place.reset();
        options.access->let_in(connection.peer, verdict.token);
    }
    if (verdict.instead) {
        return *std::move(verdict.instead);
    }
    HttpResponse answered = answer(request);
    if (answered.more) {
        // What was proved may end before the answer does: it is cut off then.
        answered.more = [this, request, &connection, more = std::move(answered.more)] {
            error_code ignored;
            const bool still_good = not options.access->judge(request, options.scope).instead;
            if (not still_good) {
                connection.socket.close(ignored);
            }
            return still_good ? more() : std::nullopt;
        };
    }
    return answered;
}

void HttpServer::State::stop() {
    if (std::exchange(stopping, true)) {
        return;
    }
    error_code ignored;
    gate.stop();
    for (auto& acceptor : listeners.acceptors) {
        acceptor.close(ignored);
    }
    for (Connection& connection : connections) {
        connection.socket.close(ignored);
    }
}

HttpServer::HttpServer(asio::io_context& io, HttpServerOptions options, Clock& clock)
    : state_(std::make_unique<State>(io, std::move(options), clock)) {}

HttpServer::~HttpServer() = default;

const std::vector<SocketAddress>& HttpServer::addresses() const {
    return state_->listeners.addresses;
}

void HttpServer::start() {
    for (auto& acceptor : state_->listeners.acceptors) {
        state_->tasks.spawn(
            state_->gate.accept(acceptor, [state = state_.get()](Caller caller) { state->take(std::move(caller)); }));
    }
}

void HttpServer::stop() {
    state_->stop();
}

}  // namespace groma
