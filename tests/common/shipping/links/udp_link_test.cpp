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
#include "tests/common/shipping/datagram_keys.hpp"

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
    OpeningRules rules;
    bool proves_nothing = false;           ///< in its answers to openings
    std::optional<DatagramStream> stream;  ///< of the connection

private:
    void take(std::span<const std::byte> datagram, const UdpRoute& route, MonoTime now) {
        if (const auto hello = parse_hello(datagram)) {
            answer(serialize(guard_.on_hello(*hello, {}, now)), route);
        } else if (const auto open = parse_open(datagram)) {
            const auto verdict = guard_.on_open(*open, {}, rules, now).value();
            if (const auto* const refused = std::get_if<UdpRefused>(&verdict.answer)) {
                answer(serialize(*refused), route);
                return;
            }
            UdpAccepted accepted = std::get<UdpAccepted>(verdict.answer);
            if (proves_nothing) {
                accepted.proof = {};
            }
            answer(serialize(accepted), route);
            route_ = route;
            if (verdict.keys) {
                stream.emplace(DatagramIdentity{false, accepted.connection, *verdict.keys}, DatagramStreamSettings{},
                               now);
            }
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
    OpeningGuard guard_{test::draws(), {}, MonoTime{}};
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
    void open(const std::optional<OfferedKey>& key = std::nullopt) {
        link_ = std::make_unique<UdpLink>(server_.address(), "log server", UdpLinkSettings{.key = key}, clock_);
    }
    /// Of an opening that fails.
    std::string error_of_opening(const std::optional<OfferedKey>& key = std::nullopt) {
        try {
            open(key);
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "";
    }
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

const OfferedKey kKey{.name = "lab", .host = "beta", .key = {.id = Token{std::byte{9}}, .secret = test::secret_of(9)}};

TEST_F(UdpLinkTest, ProvesItsKeyAndSpeaksUnderIt) {
    server_.rules.needs_key = [] { return true; };
    server_.rules.secret_of = [](const Token& id) {
        return id == kKey.key.id ? std::optional(kKey.key.secret) : std::nullopt;
    };
    open(kKey);
    ASSERT_TRUE(link_->send(serialize(LogFrame(LogDurable{5, 6}))));
    turn_until([&] { return server_.stream->readable() > 0; });
}

TEST_F(UdpLinkTest, SaysWhatToDoWhereAKeyIsNeeded) {
    server_.rules.needs_key = [] { return true; };
    EXPECT_THAT(error_of_opening(),
                testing::StartsWith("the log server takes shippers that have a key: give yours with "
                                    "--key FILE"));
}

TEST_F(UdpLinkTest, NamesTheKeyAndTheHostWhereItIsNotTaken) {
    EXPECT_THAT(error_of_opening(kKey), testing::StartsWith("the log server does not take the key 'lab' for the host "
                                                            "'beta': its part there"));
}

TEST_F(UdpLinkTest, SaysThatAServerDidNotProveItself) {
    server_.proves_nothing = true;
    clock_.step = std::chrono::seconds(1);
    EXPECT_THAT(error_of_opening(), testing::HasSubstr("cannot prove that it is the server that was asked"));
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
