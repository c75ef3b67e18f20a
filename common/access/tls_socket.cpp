#include "common/access/tls_socket.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/error.hpp>
#include <boost/asio/ssl/error.hpp>
#include <cerrno>
#include <limits>

#include "common/access/tls.hpp"
#include "common/base/errors.hpp"

namespace groma {

namespace {

int size_for_openssl(std::size_t bytes) {
    return static_cast<int>(std::min<std::size_t>(bytes, std::numeric_limits<int>::max()));
}

/// Called by OpenSSL. Its own would raise SIGPIPE.
int send_without_signal(BIO* bio, const char* bytes, int size) {
    const ssize_t sent =
        ::send(static_cast<int>(BIO_get_fd(bio, nullptr)), bytes, static_cast<std::size_t>(size), MSG_NOSIGNAL);
    BIO_clear_retry_flags(bio);
    if (sent <= 0 and BIO_sock_should_retry(static_cast<int>(sent)) != 0) {
        BIO_set_retry_write(bio);
    }
    return static_cast<int>(sent);
}

/// OpenSSL's for sockets but for sending. Null: there is no memory.
const BIO_METHOD* socket_method() {
    static const BIO_METHOD* const method = [] {
        const BIO_METHOD* const usual = BIO_s_socket();
        BIO_METHOD* const made = BIO_meth_new(BIO_TYPE_SOCKET, "socket");
        const bool done = made != nullptr and BIO_meth_set_write(made, &send_without_signal) == 1 and
                          BIO_meth_set_read(made, BIO_meth_get_read(usual)) == 1 and
                          BIO_meth_set_ctrl(made, BIO_meth_get_ctrl(usual)) == 1 and
                          BIO_meth_set_create(made, BIO_meth_get_create(usual)) == 1 and
                          BIO_meth_set_destroy(made, BIO_meth_get_destroy(usual)) == 1;
        return done ? made : nullptr;
    }();
    return method;
}

/// Before a call, so that what SSL_get_error() says is of this call.
void forget_errors() {
    ERR_clear_error();
    errno = 0;
}

}  // namespace

void TlsSocket::Free::operator()(SSL* connection) const {
    SSL_free(connection);
}

TlsSocket::TlsSocket(int socket, const SharedKey& key)
    : key_(key), connection_(SSL_new(tls_context(TlsEnd::client).native_handle())) {
    BIO* const bio = socket_method() != nullptr ? BIO_new(socket_method()) : nullptr;
    check(connection_ != nullptr and bio != nullptr, "there is memory for TLS");
    BIO_set_fd(bio, socket, BIO_NOCLOSE);
    SSL_set_bio(connection_.get(), bio, bio);
    // What is to be sent may have moved, and grown, when a call is repeated.
    SSL_set_mode(connection_.get(), SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER);
    offer_key(connection_.get(), key_);
}

std::optional<boost::system::error_code> TlsSocket::shake_hands() {
    forget_errors();
    const int result = SSL_connect(connection_.get());
    if (result == 1) {
        events_ = 0;
        forget_key(connection_.get());
        return key_was_proved(connection_.get()) ? boost::system::error_code() : boost::asio::error::access_denied;
    }
    const auto reason = static_cast<int>(ERR_peek_last_error());
    if (failed(result) == 0) {
        return boost::asio::error::eof;
    }
    if (errno == EAGAIN) {
        return std::nullopt;
    }
    return errno == EPROTO ? boost::system::error_code(reason, boost::asio::error::get_ssl_category())
                           : boost::system::error_code(errno, boost::system::system_category());
}

ssize_t TlsSocket::failed(int result) {
    const int number = errno;
    const int error = SSL_get_error(connection_.get(), result);
    events_ = error == SSL_ERROR_WANT_WRITE ? POLLOUT : 0;
    if (error == SSL_ERROR_WANT_READ or error == SSL_ERROR_WANT_WRITE) {
        errno = EAGAIN;
        return -1;
    }
    const bool ended =
        error == SSL_ERROR_ZERO_RETURN or
        (error == SSL_ERROR_SSL and ERR_GET_REASON(ERR_peek_error()) == SSL_R_UNEXPECTED_EOF_WHILE_READING);
    if (ended or (error == SSL_ERROR_SYSCALL and number == 0)) {
        errno = 0;
        return 0;
    }
    errno = error == SSL_ERROR_SYSCALL ? number : EPROTO;
    return -1;
}

ssize_t TlsSocket::receive(std::span<std::byte> space) {
    forget_errors();
    const int got = SSL_read(connection_.get(), space.data(), size_for_openssl(space.size()));
    return got > 0 ? got : failed(got);
}

ssize_t TlsSocket::send(std::span<const std::byte> bytes) {
    forget_errors();
    const int sent = SSL_write(connection_.get(), bytes.data(), size_for_openssl(bytes.size()));
    if (sent > 0) {
        return sent;
    }
    const ssize_t result = failed(sent);
    if (result == 0) {
        errno = EPIPE;
    }
    return -1;
}

bool TlsSocket::has_more() const {
    return SSL_pending(connection_.get()) > 0;
}

}  // namespace groma
