#include "common/control/byte_stream.hpp"

#include <openssl/ssl.h>

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/error.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "common/access/tls.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

constexpr auto kWithError = asio::as_tuple(asio::use_awaitable);

/// A peer that goes says so in messages of ours: TLS need not say it as well.
ByteStream::Transfer with_plain_end(ByteStream::Transfer transfer) {
    auto [error, bytes] = co_await std::move(transfer);
    co_return std::tuple(error == asio::ssl::error::stream_truncated ? error_code(asio::error::eof) : error, bytes);
}

}  // namespace

struct ByteStream::Tls {
    Tls(tcp::socket& socket, TlsEnd end) : stream(socket, tls_context(end)) {}
    Tls(tcp::socket& socket, SSL* state) : stream(socket, state) {}

    asio::ssl::stream<tcp::socket&> stream;
};

ByteStream::ByteStream(tcp::socket socket) : socket_(std::make_shared<tcp::socket>(std::move(socket))) {}

ByteStream::ByteStream(ByteStream&&) noexcept = default;

ByteStream::~ByteStream() = default;

asio::awaitable<error_code> ByteStream::prove(const SharedKey& key) {
    tls_ = std::make_unique<Tls>(*socket_, TlsEnd::client);
    offer_key(tls_->stream.native_handle(), key);
    co_return co_await shake_hands(true);
}

asio::awaitable<error_code> ByteStream::ask(KeyQuestion& question) {
    tls_ = std::make_unique<Tls>(*socket_, TlsEnd::server);
    ask_for_key(tls_->stream.native_handle(), question);
    co_return co_await shake_hands(false);
}

asio::awaitable<error_code> ByteStream::shake_hands(bool as_client) {
    const auto side = as_client ? asio::ssl::stream_base::client : asio::ssl::stream_base::server;
    const auto [error] = co_await tls_->stream.async_handshake(side, kWithError);
    forget_key(tls_->stream.native_handle());
    const bool unproved = not error and not key_was_proved(tls_->stream.native_handle());
    co_return unproved ? error_code(asio::error::access_denied) : error;
}

ByteStream::Transfer ByteStream::read(asio::mutable_buffer buffer) {
    return tls_ != nullptr ? with_plain_end(asio::async_read(tls_->stream, buffer, kWithError))
                           : asio::async_read(*socket_, buffer, kWithError);
}

ByteStream::Transfer ByteStream::read_some(asio::mutable_buffer buffer) {
    return tls_ != nullptr ? with_plain_end(tls_->stream.async_read_some(buffer, kWithError))
                           : socket_->async_read_some(buffer, kWithError);
}

ByteStream::Transfer ByteStream::write(asio::const_buffer buffer) {
    return tls_ != nullptr ? asio::async_write(tls_->stream, buffer, kWithError)
                           : asio::async_write(*socket_, buffer, kWithError);
}

void ByteStream::prepare_tls() {
    static_cast<void>(tls_context(TlsEnd::server));
}

ByteStream::Released ByteStream::release() noexcept {
    Released released;
    error_code error;
    if (not socket().is_open()) {
        return released;
    }
    released.ipv6 = socket().local_endpoint(error).address().is_v6();
    if (tls_ != nullptr) {
        SSL* const state = tls_->stream.native_handle();
        SSL_up_ref(state);
        released.tls = std::shared_ptr<void>(state, [](void* one) { SSL_free(static_cast<SSL*>(one)); });
        tls_.reset();  // of this thread: the state gets another
    }
    const int fd = socket().release(error);
    released.socket = FileDescriptor(error ? -1 : fd);
    return released;
}

ByteStream::ByteStream(asio::io_context& io, Released released)
    : socket_(std::make_shared<tcp::socket>(io, released.ipv6 ? tcp::v6() : tcp::v4(), released.socket.get())) {
    static_cast<void>(released.socket.release());
    if (released.tls != nullptr) {
        auto* const state = static_cast<SSL*>(released.tls.get());
        tls_ = std::make_unique<Tls>(*socket_, state);
        SSL_up_ref(state);  // the stream frees its own
    }
}

}  // namespace groma
