// Logs shipped over UDP, a real shipper and a real server over loopback sockets, also through a relay that loses,
// doubles and reorders; and what the server does about strangers.
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>

#include <atomic>
#include <optional>
#include <random>
#include <thread>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"
#include "common/os/system_clock.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/shipping/datagram/datagram_format.hpp"
#include "common/shipping/datagram/datagram_opening.hpp"
#include "common/shipping/datagram/datagram_stream.hpp"
#include "common/shipping/links/link_openers.hpp"
#include "common/shipping/links/udp_link.hpp"
#include "common/shipping/shipper/log_shipper.hpp"
#include "logserver/listeners.hpp"
#include "logserver/log_server.hpp"
#include "tests/common/shipping/datagram_keys.hpp"
#include "tests/files.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/logserver/lossy_relay.hpp"
#include "tests/logserver/udp_stranger.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

constexpr int kPatienceMs = kPatience / std::chrono::milliseconds(1);

class RunningServer {
public:
    explicit RunningServer(LogServerSettings settings) : server_(std::move(settings), clock_) {
        thread_ = std::thread([this] { server_.run(); });
    }
    RunningServer(const RunningServer&) = delete;
    RunningServer& operator=(const RunningServer&) = delete;
    ~RunningServer() {
        server_.stop();
        thread_.join();
    }
    [[nodiscard]] std::uint16_t port() const { return server_.port(); }

private:
    SystemClock clock_;
    LogServer server_;
    std::thread thread_;
};

class RunningRelay {
public:
    RunningRelay(std::uint16_t server_port, const RelayFaults& faults)
        : relay_(SocketAddress::from_literal("127.0.0.1", 0), SocketAddress::from_literal("127.0.0.1", server_port),
                 faults),
          thread_([this] { relay_.run(); }) {}
    RunningRelay(const RunningRelay&) = delete;
    RunningRelay& operator=(const RunningRelay&) = delete;
    ~RunningRelay() {
        relay_.stop();
        thread_.join();
    }
    [[nodiscard]] const LossyRelay& relay() const { return relay_; }

private:
    LossyRelay relay_;
    std::thread thread_;
};

class UdpDelivery : public testing::Test {
protected:
    [[nodiscard]] LogServerSettings settings(const char* address = "127.0.0.1") const {
        LogServerSettings settings;
        settings.listen.address = address;
        settings.listen.port = 0;
        settings.directory = directory_.path() / "logs";
        settings.limits.durable_every = std::chrono::milliseconds(5);
        settings.times.farewell = std::chrono::milliseconds(200);
        settings.times.greeting = kPatience;
        settings.report = [this](const std::string& line) { said_ += line + "\n"; };
        return settings;
    }
    static std::unique_ptr<LogShipper> shipper(std::uint16_t port, const char* address = "127.0.0.1") {
        const auto connect = [server = SocketAddress::from_literal(address, port)](Clock& clock) {
            return std::make_unique<UdpLink>(server, "log server", UdpLinkSettings{.times = {.connecting = kPatience}},
                                             clock);
        };
        return std::make_unique<LogShipper>(
            ShippingSettings{.open = connect,
                             .peer = "log server",
                             .server = "127.0.0.1:" + std::to_string(port),
                             .transport = LogTransport::udp,
                             .node = "here",
                             .program = "test",
                             .spool = {},
                             .limits = {.times = {.opening = kPatience, .patience = kPatience}},
                             .report = {}},
            kernel_clock());
    }
    [[nodiscard]] std::string stored(const std::string& name) const {
        return content_of(directory_.path() / "logs" / "voip-1a2b3c4d" / (name + ".glog"));
    }
    /// Ships logs of so many bytes in all, side by side, and compares.
    void expect_delivery(std::uint16_t port, std::size_t logs, std::size_t bytes, const char* address = "127.0.0.1") {
        const auto shipping = shipper(port, address);
        std::mt19937_64 random(42);
        std::vector<std::unique_ptr<ShippedLog>> open;
        std::vector<std::string> copies(logs);
        for (std::size_t i = 0; i < logs; ++i) {
            open.push_back(shipping->open_log("voip-1a2b3c4d", "log-" + std::to_string(i)));
        }
        for (std::size_t shipped = 0; shipped < bytes;) {
            std::string piece(random() % 40'000 + 1, '\0');
            std::ranges::generate(piece, [&] { return static_cast<char>(random()); });
            const std::size_t log = random() % logs;
            open[log]->append(std::as_bytes(std::span(piece)));
            copies[log] += piece;
            shipped += piece.size();
        }
        for (std::size_t i = 0; i < logs; ++i) {
            open[i]->close();
            EXPECT_EQ(stored("log-" + std::to_string(i)), copies[i]) << i;
        }
    }

    TemporaryFolder directory_;
    mutable std::string said_;  ///< by the server; to be read once it has ended
};

TEST_F(UdpDelivery, TheLogsOnTheServerAreTheLogsThatWereWritten) {
    const RunningServer server(settings());
    expect_delivery(server.port(), 3, 10'000'000);
}

TEST_F(UdpDelivery, WorksOverIpv6) {
    const RunningServer server(settings("::1"));
    expect_delivery(server.port(), 1, 1'000'000, "::1");
}

TEST_F(UdpDelivery, NothingIsLostOrDoubledOnABadPath) {
    for (const double loss : {0.05, 0.3}) {
        const RunningServer server(settings());
        const RunningRelay path(server.port(), {.loss = loss, .doubled = 0.05, .late = 0.1});
        expect_delivery(path.relay().port(), 2, 1'000'000);
        EXPECT_GT(path.relay().lost(), 0U);
        std::filesystem::remove_all(directory_.path() / "logs");
    }
}

TEST_F(UdpDelivery, AServerThatWasRestartedGoesOnWhereItWas) {
    std::optional<RunningServer> server(std::in_place, settings());
    LogServerSettings same_port = settings();
    same_port.listen.port = server->port();
    const auto shipping = shipper(server->port());
    const auto log = shipping->open_log("voip-1a2b3c4d", "sender");
    const std::string first(500'000, 'a');
    const std::string second(500'000, 'b');
    log->append(std::as_bytes(std::span(first)));
    server.reset();
    log->append(std::as_bytes(std::span(second)));
    server.emplace(same_port);
    log->close();
    EXPECT_EQ(stored("sender"), first + second);
}

TEST_F(UdpDelivery, AServerThatIsNotThereIsNamed) {
    std::uint16_t port = 0;
    {
        const RunningServer server(settings());
        port = server.port();
    }
    const auto shipping = shipper(port);
    try {
        (void)shipping->open_log("voip-1a2b3c4d", "sender");
        FAIL() << "opened nowhere";
    } catch (const SystemError& error) {
        EXPECT_EQ(error.errno_value(), ECONNREFUSED);
        EXPECT_NE(std::string(error.what()).find("groma-log"), std::string::npos) << error.what();
    }
}

TEST_F(UdpDelivery, ARefusalArrivesWithItsReason) {
    LogServerSettings one = settings();
    one.max_sessions = 1;
    const RunningServer server(one);
    const auto first = shipper(server.port());
    const auto log = first->open_log("voip-1a2b3c4d", "sender");
    const auto second = shipper(server.port());
    try {
        (void)second->open_log("voip-1a2b3c4d", "receiver");
        FAIL() << "taken";
    } catch (const ProtocolError& error) {
        EXPECT_NE(std::string(error.what()).find("--max-sessions"), std::string::npos) << error.what();
    }
    log->close();
}

/// A server that accepts and speaks in one breath, so that a shipper may find both in one batch.
class HastyServer {
public:
    HastyServer() : socket_(open_socket(SocketAddress::from_literal("127.0.0.1", 0), SOCK_DGRAM)) {
        const auto any_port = SocketAddress::from_literal("127.0.0.1", 0);
        bind_socket(socket_, any_port, any_port);
    }
    [[nodiscard]] SocketAddress address() const { return bound_address(socket_); }

    /// Accepts the next who asks, and says `frame` to it.
    void serve_one(std::span<const std::byte> frame) {
        OpeningGuard guard(test::draws(), {}, clock_.now());
        for (;;) {
            pollfd entry{.fd = socket_.get(), .events = POLLIN, .revents = 0};
            checked("wait for a shipper", ::poll(&entry, 1, kPatienceMs));
            if (batch_.receive(socket_) == 0) {
                return;  // nobody came
            }
            const UdpRoute& route = batch_.route(0);
            if (const auto hello = parse_hello(batch_.received(0))) {
                put(serialize(guard.on_hello(*hello, {}, clock_.now())), route);
                send();
            } else if (const auto open = parse_open(batch_.received(0))) {
                const auto verdict = guard.on_open(*open, {}, {}, clock_.now()).value();
                const auto& accepted = std::get<UdpAccepted>(verdict.answer);
                put(serialize(accepted), route);
                DatagramStream stream({false, accepted.connection, verdict.keys.value()}, {}, clock_.now());
                stream.write(frame);
                batch_.add(stream.next_datagram(batch_.slot(), clock_.now()), &route);
                send();
                return;
            }
        }
    }

private:
    void send() { EXPECT_EQ(batch_.send(socket_), 0); }
    void put(std::span<const std::byte> datagram, const UdpRoute& route) {
        std::ranges::copy(datagram, batch_.slot().begin());
        batch_.add(datagram.size(), &route);
    }

    SystemClock clock_;
    FileDescriptor socket_;
    UdpBatch batch_;
};

TEST_F(UdpDelivery, WhatComesTogetherWithTheAcceptanceIsHeard) {
    for (int round = 0; round < 20; ++round) {
        HastyServer server;
        const LogRefused refusal{.log = kWholeConnection, .try_again = true, .reason = "full"};
        std::jthread serving([&] { server.serve_one(serialize(LogFrame(refusal))); });
        UdpLink link(server.address(), "log server", {.times = {.connecting = kPatience}}, kernel_clock());
        serving.join();
        link.turn();
        const auto frame = link.next();
        ASSERT_TRUE(frame) << round;
        EXPECT_EQ(std::get<LogRefused>(*frame).reason, "full");
    }
}

UdpOpen opening(const UdpRetry& retry) {
    return {.nonce = retry.nonce,
            .issued = retry.issued,
            .token = retry.token,
            .public_key = AgreementKey(test::secret_of(50)).public_key()};
}

UdpAccepted open_connection(UdpStranger& stranger) {
    stranger.send(serialize(UdpHello{5}));
    const auto retry = parse_retry(stranger.hear()).value();
    stranger.send(serialize(opening(retry)));
    return parse_accepted(stranger.hear()).value();
}

TEST_F(UdpDelivery, StrangersAreNotAnsweredButCounted) {
    {
        const RunningServer server(settings());
        UdpStranger stranger(server.port());
        DatagramCipher cipher(test::secret_of(1));
        std::vector<std::byte> datagram(200);
        for (std::uint64_t i = 0; i < 20; ++i) {
            seal(datagram, 100, {DatagramKind::from_shipper, 99, i}, cipher);
            stranger.send(datagram);
            stranger.send(serialize(UdpOpen{.nonce = 1, .issued = 2, .token = 3}));
            stranger.send(std::as_bytes(std::span("rubbish")));
            stranger.send(serialize(UdpAccepted{.nonce = 1, .connection = 2}));
        }
        // The answer to this would come behind any other.
        stranger.send(serialize(UdpHello{5}));
        EXPECT_TRUE(parse_retry(stranger.hear()));
        EXPECT_TRUE(stranger.hear_at_once().empty());
    }
    EXPECT_NE(said_.find("20 datagrams of strangers"), std::string::npos) << said_;
    EXPECT_NE(said_.find("20 openings with a token that is old or not ours"), std::string::npos) << said_;
    EXPECT_NE(said_.find("40 datagrams that are none of this protocol"), std::string::npos) << said_;
}

TEST_F(UdpDelivery, AnOpeningThatIsRepeatedMakesNothing) {
    {
        const RunningServer server(settings());
        UdpStranger stranger(server.port());
        const UdpAccepted first = open_connection(stranger);
        EXPECT_EQ(open_connection(stranger).connection == first.connection, false)
            << "another time, another connection";
        UdpStranger other(server.port());
        other.send(serialize(UdpHello{6}));
        const auto retry = parse_retry(other.hear()).value();
        const auto open = serialize(opening(retry));
        other.send(open);
        const auto accepted = parse_accepted(other.hear());
        other.send(open);
        EXPECT_EQ(parse_accepted(other.hear()), accepted);
        stranger.send(open);  // another address
        stranger.send(serialize(UdpHello{7}));
        EXPECT_EQ(parse_retry(stranger.hear()).value().nonce, 7U);
    }
    EXPECT_NE(said_.find("3 connections"), std::string::npos) << said_;
    EXPECT_NE(said_.find("1 openings repeated"), std::string::npos) << said_;
}

TEST_F(UdpDelivery, OtherConnectionsDoNotMindDatagramsThatAreForged) {
    {
        const RunningServer server(settings());
        UdpStranger stranger(server.port());
        const UdpAccepted accepted = open_connection(stranger);
        std::vector<std::byte> datagram(200);
        DatagramCipher cipher(test::secret_of(1));
        const std::size_t size = seal(datagram, 100, {DatagramKind::from_shipper, accepted.connection, 1}, cipher);
        for (int i = 0; i < 10; ++i) {
            stranger.send(std::span(datagram).first(size));
        }
        expect_delivery(server.port(), 1, 100'000);
    }
    EXPECT_NE(said_.find("10 datagrams damaged or forged"), std::string::npos) << said_;
}

}  // namespace
}  // namespace groma
