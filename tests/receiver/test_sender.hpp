// The sender's side of a control session, one step at a time, for tests of the receiver.
#pragma once

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <memory>
#include <optional>
#include <vector>

#include "common/control/connection.hpp"
#include "common/control/endpoint.hpp"
#include "common/net/channel/channel.hpp"
#include "common/net/flow_sockets.hpp"
#include "common/wire/stream_frame.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"

namespace groma {

class TestSender {
public:
    explicit TestSender(const SocketAddress& receiver) {
        boost::asio::ip::tcp::socket socket(io_);
        socket.connect(to_endpoint(receiver));
        connection_.emplace(std::move(socket), SessionTimes{.silence = kPatience}, kernel_clock());
    }

    /// Under TLS. Throws: as ControlConnection::connect().
    TestSender(const SocketAddress& receiver, const OfferedKey& key) {
        static constexpr SessionTimes kPatient{.silence = kPatience, .connecting = kPatience};
        run([](const SocketAddress& to, const OfferedKey& its,
               std::optional<ControlConnection>& made) -> boost::asio::awaitable<void> {
            made.emplace(co_await ControlConnection::connect(to, kPatient, kernel_clock(), {}, its));
        }(receiver, key, connection_));
    }

    void write(Message message) {
        run([](ControlConnection& connection, Message one) -> boost::asio::awaitable<void> {
            co_await connection.write(one);
        }(*connection_, std::move(message)));
    }

    /// The next message that is not a KeepAlive. Throws: ProtocolError.
    Message read() {
        Message message;
        run([](ControlConnection& connection, Message& one) -> boost::asio::awaitable<void> {
            one = co_await connection.read();
        }(*connection_, message));
        return message;
    }

    Message read_any() {
        Message message;
        run([](ControlConnection& connection, Message& one) -> boost::asio::awaitable<void> {
            one = co_await connection.read_any();
        }(*connection_, message));
        return message;
    }

    Message ask(Message message) {
        write(std::move(message));
        return read();
    }

    void close() { connection_->close(); }

    static Hello hello() {
        return {.program = "groma-send 0.1.0",
                .run_id = "0123456789abcdef0123456789abcdef",
                .experiment = "test",
                .host = "alpha",
                .seed = 7};
    }

private:
    void run(boost::asio::awaitable<void> step) {
        boost::asio::co_spawn(io_, std::move(step), [](const std::exception_ptr& error) {
            if (error) {
                std::rethrow_exception(error);
            }
        });
        io_.restart();
        io_.run();
    }

    boost::asio::io_context io_;
    std::optional<ControlConnection> connection_;
};

/// Packets of one flow, sent by their sequence numbers.
class TestFlow {
public:
    static constexpr std::size_t kSize = 100;

    TestFlow(FlowId id, Transport transport, const SocketAddress& to, const TransportOptions& options = {})
        : id_(id), transport_(transport), channel_(open_channel({transport, options, to, kPatience}, kernel_clock())) {}

    /// Returns: whether the kernel took it.
    bool send(std::uint32_t seq) {
        static constexpr std::array<std::byte, kSize> kFiller{};
        const std::size_t header = header_bytes_for(transport_, kSize, HeaderLevel::full);
        Frame frame{.header = {},
                    .header_bytes = static_cast<std::uint8_t>(header),
                    .rest = std::span(kFiller).first(kSize - header)};
        serialize(PacketHeader{.seq = seq, .sent_at = wall_time_from_ns(1'000 + seq), .flow = id_}, frame.header,
                  header);
        return channel_->send(std::span(&frame, 1)).sent == 1;
    }

    bool finish() { return channel_->finish(kPatience); }

private:
    FlowId id_;
    Transport transport_;
    std::unique_ptr<Channel> channel_;
};

}  // namespace groma
