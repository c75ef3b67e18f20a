// The bytes of one TCP connection, in clear or under TLS. For Asio coroutines, as ControlConnection, which is on top.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <tuple>

#include "common/access/access_key.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

struct KeyQuestion;

class ByteStream {
public:
    using Transfer = boost::asio::awaitable<std::tuple<boost::system::error_code, std::size_t>>;

    /// In clear.
    explicit ByteStream(boost::asio::ip::tcp::socket socket);
    ByteStream(ByteStream&&) noexcept;
    ByteStream& operator=(ByteStream&&) = delete;
    ~ByteStream();

    /// So that a library without what TLS needs here is found out at the start. Throws: RunError.
    static void prepare_tls();

    /// TLS begins, as the side that has connected, or as the one that was connected to. Returns: why it did not; after
    /// that only socket() may be used. The argument outlives the call. Requires: in clear; nothing is being read or
    /// written.
    boost::asio::awaitable<boost::system::error_code> prove(const SharedKey& key);
    boost::asio::awaitable<boost::system::error_code> ask(KeyQuestion& question);
    [[nodiscard]] bool is_secret() const { return tls_ != nullptr; }

    /// Fills `buffer`.
    Transfer read(boost::asio::mutable_buffer buffer);
    Transfer read_some(boost::asio::mutable_buffer buffer);
    /// Writes all of `buffer`.
    Transfer write(boost::asio::const_buffer buffer);

    /// The same object as long as the stream, or the one that it is moved to, lives.
    [[nodiscard]] boost::asio::ip::tcp::socket& socket() { return *socket_; }
    [[nodiscard]] const boost::asio::ip::tcp::socket& socket() const { return *socket_; }

    /// For who may outlive the stream. After release() it is the socket of no connection.
    [[nodiscard]] std::weak_ptr<boost::asio::ip::tcp::socket> weak_socket() const { return socket_; }

    /// A connection between two io_contexts.
    struct Released {
        FileDescriptor socket;
        bool ipv6 = false;
        std::shared_ptr<void> tls{};  ///< its state; null: in clear
    };
    /// Takes the connection out. Requires: nothing is being read or written. Under TLS, what has been received and not
    /// read is lost, and with it the connection: its peer waits for an answer. Returns: an invalid socket if it is
    /// closed.
    [[nodiscard]] Released release() noexcept;
    ByteStream(boost::asio::io_context& io, Released released);

private:
    struct Tls;

    boost::asio::awaitable<boost::system::error_code> shake_hands(bool as_client);

    std::shared_ptr<boost::asio::ip::tcp::socket> socket_;
    std::unique_ptr<Tls> tls_;  ///< null: in clear
};

}  // namespace groma
