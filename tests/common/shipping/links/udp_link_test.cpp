// A link to a server that is a few lines of the test, over loopback, on one thread and in virtual time: the server has
// its turn whenever the link looks at the clock.
#include "common/shipping/links/udp_link.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <memory>
#include <optional>
#include <vector>

#include "common/base/errors.hpp"
#include "common/net/socket/socket.hpp"
#include "common/shipping/datagram/datagram_opening.hpp"

namespace groma {
namespace {

class LinkServer {
public:
    LinkServer() : socket_(open_socket(SocketAddress::from_literal("127.0.0.1", 0), SOCK_DGRAM)) {
        const auto any_port = SocketAddress::from_literal("127.0.0.1", 0);
        bind_socket(socket_, any_port, any_port);
    }
    [[nodiscard]] SocketAddress address() const { return local_address_of(socket_.get()); }

    /// Takes what has come and sends what is due.
    void serve(MonoTime now) {
        while (const std::size_t count = batch_.receive(socket_)) {
            for (std::size_t i = 0; i < count and not is_silent; ++i) {
                take(batch_.received(i), batch_.route(i), now);
            }
        }
        while (stream and not is_silent) {
            const std::size_t bytes = stream->next_datagram(batch_.slot(), now);
            if (bytes == 0) {
                return;
            }
            batch_.add(bytes, &route_);
            EXPECT_EQ(batch_.send(socket_), 0);
        }
    }

    bool is_silent = false;
    std::optional<DatagramStream> stream;  ///< of the connection

private:
    void take(std::span<const std::byte> datagram, const UdpRoute& route, MonoTime now) {
        if (const auto hello = parse_hello(datagram)) {
            answer(serialize(guard_.on_hello(*hello, {}, now)), route);
        } else if (const auto open = parse_open(datagram)) {
            const UdpAccepted accepted = guard_.on_open(*open, {}, now).value().accepted;
            answer(serialize(accepted), route);
            route_ = route;
            stream.emplace(DatagramIdentity{false, accepted.connection, accepted.key}, DatagramStreamSettings{}, now);
        } else if (stream) {
            (void)stream->on_datagram(datagram, now);
        }
    }
    void answer(std::span<const std::byte> datagram, const UdpRoute& route) {
        std::ranges::copy(datagram, batch_.slot().begin());
        batch_.add(datagram.size(), &route);
        EXPECT_EQ(batch_.send(socket_), 0);
    }

    FileDescriptor socket_;
    UdpBatch batch_;
    UdpRoute route_;
    OpeningGuard guard_{{1, 2}, {}, MonoTime{}};
};

class ServingClock final : public Clock {
public:
    explicit ServingClock(LinkServer& server) : server_(server) {}
    [[nodiscard]] MonoTime now() noexcept override {
        server_.serve(time);
        return time += step;
    }
    [[nodiscard]] WallTime wall_now() noexcept override { return {}; }
    void sleep_until(MonoTime deadline) noexcept override { time = std::max(time, deadline); }

    MonoTime time{std::chrono::seconds(100)};
    Nanos step = std::chrono::microseconds(1);  ///< from one look to the next

private:
    LinkServer& server_;
};

class UdpLinkTest : public testing::Test {
protected:
    void open() { link_ = std::make_unique<UdpLink>(server_.address(), "log server", UdpLinkLimits{}, clock_); }
    template <typename Predicate>
    void turn_until(const Predicate& done) {
        bool is_done = done();
        for (int turns = 0; turns < 1'000'000 and not is_done; ++turns) {
            link_->turn();
            is_done = done();
        }
        ASSERT_TRUE(is_done);
    }
    /// The error of the link's next turn.
    int error_of_turn() {
        try {
            link_->turn();
        } catch (const SystemError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("hear from the log server"));
            return error.errno_value();
        }
        return 0;
    }

    LinkServer server_;
    ServingClock clock_{server_};
    std::unique_ptr<UdpLink> link_;
};

TEST_F(UdpLinkTest, FramesPassBothWaysAndTheServerIsToldTheEnd) {
    open();
    const auto there = serialize(LogFrame(LogDurable{5, 6}));
    ASSERT_TRUE(link_->send(there));
    turn_until([&] { return server_.stream->readable() > 0; });
    std::vector<std::byte> heard(100);
    heard.resize(server_.stream->read(heard));
    EXPECT_EQ(heard, there);
    server_.stream->write(serialize(LogFrame(LogClosed{5})));
    std::optional<LogFrame> back;
    turn_until([&] { return back or (back = link_->next()); });
    EXPECT_EQ(std::get<LogClosed>(*back), LogClosed{5});
    link_.reset();
    for (int turns = 0; turns < 1'000'000 and server_.stream->state() == DatagramStream::State::open; ++turns) {
        server_.serve(clock_.time);
    }
    EXPECT_EQ(server_.stream->state(), DatagramStream::State::closed_by_peer);
}

TEST_F(UdpLinkTest, TakesAFrameWholeOrNotAtAll) {
    open();
    const std::vector<std::byte> piece(kMaxPieceBytes);
    const auto frame = serialize(LogFrame(LogPiece{1, 0, piece}));
    int taken = 0;
    while (link_->send(frame)) {
        ++taken;
    }
    EXPECT_EQ(taken, 3);
    const std::size_t room = link_->stream().room();
    EXPECT_LT(room, frame.size());
    std::vector<std::byte> read(frame.size());
    turn_until([&] {
        (void)server_.stream->read(read);
        return link_->send(frame);
    });
}

TEST_F(UdpLinkTest, WhatCameBeforeTheEndHasItsTurnFirst) {
    open();
    server_.stream->write(serialize(LogFrame(LogClosed{5})));
    turn_until([&] { return link_->stream().readable() > 0; });
    server_.stream->close();
    turn_until([&] { return link_->stream().state() != DatagramStream::State::open; });
    EXPECT_EQ(error_of_turn(), 0);
    EXPECT_TRUE(link_->next());
    EXPECT_EQ(error_of_turn(), ECONNRESET);
}

TEST_F(UdpLinkTest, AServerThatIsSilentForTooLongIsLost) {
    open();
    server_.is_silent = true;
    clock_.time += ShippingTimes().unanswered - std::chrono::seconds(1);
    EXPECT_EQ(error_of_turn(), 0);
    EXPECT_EQ(error_of_turn(), 0);
    clock_.time += std::chrono::seconds(1);
    EXPECT_EQ(error_of_turn(), 0) << "it is found out in this turn";
    EXPECT_EQ(error_of_turn(), ETIMEDOUT);
}

TEST_F(UdpLinkTest, GivesUpAServerThatDoesNotAnswerWithAdvice) {
    server_.is_silent = true;
    clock_.step = std::chrono::seconds(1);
    try {
        open();
        FAIL() << "opened";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ETIMEDOUT);
        EXPECT_THAT(error.what(), testing::HasSubstr("is groma-log running there, with UDP"));
    }
    EXPECT_GT(clock_.time, MonoTime(std::chrono::seconds(100)) + ShippingTimes().connecting);
}

}  // namespace
}  // namespace groma
