// A client of the HTTP server under test, which writes what it is told to and reads what comes.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/control/endpoint.hpp"

namespace groma {

class HttpClient {
public:
    explicit HttpClient(const SocketAddress& server) { socket_.connect(to_endpoint(server)); }

    /// A peer that has closed the connection is no error.
    void write(const std::string& text) {
        boost::system::error_code ignored;
        boost::asio::write(socket_, boost::asio::buffer(text), ignored);
    }
    void write_no_more() { socket_.shutdown(boost::asio::ip::tcp::socket::shutdown_send); }

    /// One response, with its body if it has one; empty: the server has closed the connection.
    [[nodiscard]] std::string read_response(bool with_body = true) {
        boost::system::error_code error;
        const std::size_t header =
            boost::asio::read_until(socket_, boost::asio::dynamic_buffer(came_), "\r\n\r\n", error);
        if (error) {
            return {};
        }
        const std::string field = "\r\nContent-Length: ";
        const std::size_t at = came_.find(field);
        const std::size_t body = with_body and at < header ? std::stoul(came_.substr(at + field.size())) : 0;
        if (came_.size() < header + body) {
            boost::asio::read(socket_, boost::asio::dynamic_buffer(came_),
                              boost::asio::transfer_exactly(header + body - came_.size()));
        }
        std::string response = came_.substr(0, header + body);
        came_.erase(0, header + body);
        return response;
    }

    /// All that comes until the server closes the connection.
    [[nodiscard]] std::string read_to_the_end() {
        boost::system::error_code ignored;
        boost::asio::read(socket_, boost::asio::dynamic_buffer(came_), ignored);
        return came_;
    }

    /// All up to this text. Returns: whether it came.
    [[nodiscard]] bool read_until(const std::string& text) {
        boost::system::error_code error;
        boost::asio::read_until(socket_, boost::asio::dynamic_buffer(came_), text, error);
        return not error;
    }

private:
    boost::asio::io_context io_;
    boost::asio::ip::tcp::socket socket_{io_};
    std::string came_;
};

/// Where the page is, of a line that says so; port 0 of any other line.
[[nodiscard]] inline SocketAddress metrics_place(const std::string& line) {
    constexpr std::string_view kBegin = "metrics are at http://127.0.0.1:";
    std::uint16_t port = 0;
    if (line.starts_with(kBegin)) {
        (void)std::from_chars(line.data() + kBegin.size(), line.data() + line.size(), port);
    }
    return SocketAddress::from_literal("127.0.0.1", port);
}

/// The metrics there, as OpenMetrics.
[[nodiscard]] inline std::string scraped(const SocketAddress& server) {
    HttpClient client(server);
    client.write("GET /metrics HTTP/1.1\r\nHost: localhost\r\nAccept: application/openmetrics-text\r\n\r\n");
    return client.read_response();
}

}  // namespace groma
