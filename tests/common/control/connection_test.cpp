#include "common/control/connection.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <exception>
#include <future>
#include <optional>

#include "common/base/errors.hpp"
#include "common/control/endpoint.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ::testing::HasSubstr;

constexpr SessionTimes kPatient{.silence = kPatience};

void rethrow(const std::exception_ptr& error) {
    if (error) {
        std::rethrow_exception(error);
    }
}

/// Two connected sockets on loopback in one io_context.
class Connection : public ::testing::Test {
protected:
    Connection() : left_(io_), right_(io_) {
        tcp::acceptor acceptor(io_, {asio::ip::address_v4::loopback(), 0});
        left_.connect(acceptor.local_endpoint());
        acceptor.accept(right_);
    }

    void spawn(asio::awaitable<void> task) { asio::co_spawn(io_, std::move(task), rethrow); }
    void run() { io_.run(); }

    /// The error of reading one message from `connection`.
    static asio::awaitable<void> read_refusal(ControlConnection& connection, std::string& what) {
        try {
            (void)co_await connection.read();
        } catch (const ProtocolError& error) {
            what = error.what();
        }
    }

    asio::io_context io_;
    tcp::socket left_;
    tcp::socket right_;
};

asio::awaitable<void> write_all(ControlConnection& connection, std::vector<Message> messages) {
    for (const Message& message : messages) {
        co_await connection.write(message);
    }
}

asio::awaitable<void> read_all(ControlConnection& connection, std::vector<Message>& messages, std::size_t count) {
    while (messages.size() < count) {
        messages.push_back(co_await connection.read_any());
    }
}

TEST_F(Connection, DeliversMessagesInTheirOrder) {
    ControlConnection left(std::move(left_), kPatient, kernel_clock());
    ControlConnection right(std::move(right_), kPatient, kernel_clock());
    const std::vector<Message> sent{ProbeRequest{.number = 1}, KeepAlive{}, Start{.log_file = "a", .log_server = ""}};
    std::vector<Message> received;
    spawn(write_all(left, sent));
    spawn(read_all(right, received, sent.size()));
    run();
    EXPECT_EQ(received, sent);
}

TEST_F(Connection, KeepsMessagesApartThatSeveralCoroutinesWriteAtOnce) {
    ControlConnection left(std::move(left_), kPatient, kernel_clock());
    ControlConnection right(std::move(right_), kPatient, kernel_clock());
    Finish large;
    for (std::uint32_t id = 1; id <= 100'000; ++id) {  // more than the socket's buffer takes at once
        large.flows.push_back({.flow = FlowId{id}, .packets = 1, .bytes = 1});
    }
    std::vector<Message> received;
    spawn(write_all(left, {large}));
    spawn(write_all(left, {ProbeRequest{.number = 1}, ProbeRequest{.number = 2}}));
    spawn(write_all(left, {KeepAlive{}}));
    spawn(read_all(right, received, 4));
    run();
    ASSERT_EQ(received.size(), 4U);
    EXPECT_EQ(received[0], Message(large));
    EXPECT_THAT(received, ::testing::Contains(Message(ProbeRequest{.number = 2})));
    EXPECT_THAT(received, ::testing::Contains(Message(KeepAlive{})));
}

/// As a daemon's session: until it is ended, and then with the reason as its last word.
asio::awaitable<void> serve_until_ended(ControlConnection& connection) {
    std::string why;
    try {
        while (true) {
            (void)co_await connection.read();
        }
    } catch (const ProtocolError& error) {
        why = error.what();
    }
    EXPECT_TRUE(connection.is_open());
    const Message last = Refused{.reason = why, .flow = std::nullopt};
    co_await connection.close_with(last);
}

TEST_F(Connection, ThatIsEndedFromElsewhereCanStillTellItsPeerWhy) {
    for (const bool waits : {true, false}) {
        asio::io_context io;
        tcp::acceptor acceptor(io, {asio::ip::address_v4::loopback(), 0});
        tcp::socket near(io);
        near.connect(acceptor.local_endpoint());
        ControlConnection left(std::move(near), kPatient, kernel_clock());
        ControlConnection right(acceptor.accept(), kPatient, kernel_clock());
        const auto ending = right.ending();
        std::vector<Message> received;
        if (waits) {
            asio::co_spawn(io, serve_until_ended(right), rethrow);
            asio::post(io, [&] { ending.lock()->end("its key is lost"); });
        } else {
            // What the peer has sent before is not heard any more.
            asio::co_spawn(io, write_all(left, {ProbeRequest{.number = 1}}), rethrow);
            ending.lock()->end("its key is lost");
            asio::co_spawn(io, serve_until_ended(right), rethrow);
        }
        asio::co_spawn(io, read_all(left, received, 1), rethrow);
        io.run();
        ASSERT_EQ(received.size(), 1U);
        EXPECT_THAT(std::get<Refused>(received.front()).reason, HasSubstr(": its key is lost"));
    }
}

TEST_F(Connection, SkipsKeepAlivesWhenAskedForAMessage) {
    ControlConnection left(std::move(left_), kPatient, kernel_clock());
    ControlConnection right(std::move(right_), kPatient, kernel_clock());
    std::optional<Message> received;
    spawn(write_all(left, {KeepAlive{}, KeepAlive{}, ProbeRequest{.number = 3}}));
    spawn([](ControlConnection& connection, std::optional<Message>& message) -> asio::awaitable<void> {
        message = co_await connection.read();
    }(right, received));
    run();
    EXPECT_EQ(received, Message(ProbeRequest{.number = 3}));
}

TEST_F(Connection, SaysThatThePeerClosedIt) {
    ControlConnection right(std::move(right_), kPatient, kernel_clock());
    left_.close();
    std::string what;
    spawn(read_refusal(right, what));
    run();
    EXPECT_THAT(what, HasSubstr("closed the connection"));
    EXPECT_THAT(what, HasSubstr(right.peer()));
}

TEST_F(Connection, SaysThatThePeerClosedItInTheMiddleOfAMessage) {
    ControlConnection right(std::move(right_), kPatient, kernel_clock());
    asio::write(left_, asio::buffer("\0\0\0\x09{\"ty", 8));
    left_.close();
    std::string what;
    spawn(read_refusal(right, what));
    run();
    EXPECT_THAT(what, HasSubstr("closed the connection"));
}

/// Writes until the connection notices that the peer does not read.
asio::awaitable<void> write_until_refused(ControlConnection& connection, std::string& what) {
    try {
        while (true) {
            std::string text(1U << 20U, ' ');
            co_await connection.write_text(std::move(text), "a test");
        }
    } catch (const ProtocolError& error) {
        what = error.what();
    }
}

TEST_F(Connection, SaysWhyThePeerWentThoughAWriteFoundOutFirst) {
    ControlConnection left(std::move(left_), kPatient, kernel_clock());
    ControlConnection right(std::move(right_), kPatient, kernel_clock());
    const Message last = Refused{.reason = "enough", .flow = std::nullopt};
    std::string refusal;
    std::vector<Message> received;
    spawn(write_all(left, {last}));
    run();
    left.close();
    io_.restart();
    spawn(write_until_refused(right, refusal));
    run();
    EXPECT_THAT(refusal, HasSubstr("closed the connection"));
    EXPECT_FALSE(right.is_open());
    io_.restart();
    spawn(read_all(right, received, 1));
    run();
    EXPECT_THAT(received, ::testing::ElementsAre(last));
    for (int reads = 0; reads < 2; ++reads) {
        std::string what;
        io_.restart();
        spawn(read_refusal(right, what));
        run();
        EXPECT_EQ(what, right.peer() + ": closed the connection");
    }
}

TEST_F(Connection, SaysThatThePeerTookNothingToThoseWhoRead) {
    ControlConnection right(std::move(right_), SessionTimes{.silence = std::chrono::milliseconds(5)}, kernel_clock());
    std::string written;
    std::string read;
    spawn(write_until_refused(right, written));
    run();
    io_.restart();
    spawn(read_refusal(right, read));
    run();
    EXPECT_EQ(written, right.peer() + ": takes no more messages");
    EXPECT_EQ(read, written);
}

TEST_F(Connection, SaysThatThePeerWasSilent) {
    ControlConnection right(std::move(right_), SessionTimes{.silence = std::chrono::milliseconds(5)}, kernel_clock());
    std::string what;
    spawn(read_refusal(right, what));
    run();
    EXPECT_THAT(what, HasSubstr("was silent for 5 ms"));
}

TEST_F(Connection, HearsAPeerThatWasHeldUpTogetherWithItBeforeItCallsItSilent) {
    constexpr Nanos kLimit = std::chrono::milliseconds(20);
    ControlConnection left(std::move(left_), kPatient, kernel_clock());
    ControlConnection right(std::move(right_), SessionTimes{.silence = kLimit}, kernel_clock());
    std::vector<Message> received;
    spawn(read_all(right, received, 1));
    asio::post(io_, [&] {
        const auto end = std::chrono::steady_clock::now() + 2 * kLimit;
        while (std::chrono::steady_clock::now() < end) {  // the host stands still, with all of its programs
        }
        // The peer sends only after the io_context has checked its timers.
        asio::post(io_, [&] { asio::post(io_, [&] { spawn(write_all(left, {KeepAlive{}})); }); });
    });
    run();
    EXPECT_THAT(received, ::testing::ElementsAre(Message(KeepAlive{})));
}

TEST_F(Connection, OfAStrangerHasAShortTimeToGreet) {
    ControlConnection right(std::move(right_), {.silence = kPatience, .greeting = std::chrono::milliseconds(5)},
                            kernel_clock(), nullptr);
    asio::write(left_, asio::buffer("\0\0\0\x09{\"ty", 8));
    std::string what;
    spawn(read_refusal(right, what));
    run();
    EXPECT_THAT(what, HasSubstr("did not greet within 5 ms"));
}

TEST_F(Connection, OfAStrangerTakesNoLongMessagesUntilItsOwnerAllowsThem) {
    ControlConnection right(std::move(right_), kPatient, kernel_clock(), nullptr);
    asio::write(left_, asio::buffer("\0\0\0\x15{\"type\":\"keep_alive\"}\0\1\0\1", 29));
    std::vector<Message> received;
    spawn(read_all(right, received, 1));
    run();
    EXPECT_THAT(received, ::testing::ElementsAre(Message(KeepAlive{})));
    std::string what;
    spawn(read_refusal(right, what));
    io_.restart();
    run();
    EXPECT_THAT(what, HasSubstr("65537 bytes; at most 65536 are allowed before the greeting"));
}

TEST_F(Connection, TakesMessagesAsLongAsItsOwnerAllows) {
    ControlConnection right(std::move(right_), kPatient, kernel_clock(), nullptr);
    right.allow(10);
    asio::write(left_, asio::buffer("\0\0\0\x0b", 4));
    std::string what;
    spawn(read_refusal(right, what));
    run();
    EXPECT_THAT(what, HasSubstr("11 bytes; at most 10 are allowed (is it"));
}

TEST_F(Connection, IsServedWhileTheLongMessageOfAnotherIsParsed) {
    ParsingThread parsing;
    ControlConnection left(std::move(left_), kPatient, kernel_clock());
    ControlConnection right(std::move(right_), kPatient, kernel_clock(), &parsing);
    right.allow(kMaxMessageBytes);
    std::promise<void> other_served;
    Finish large;
    for (std::uint32_t id = 1; id <= 10'000; ++id) {
        large.flows.push_back({.flow = FlowId{id}, .packets = 1, .bytes = 1});
    }
    std::vector<Message> received;
    spawn([](ParsingThread& thread, std::future<void> gate) -> asio::awaitable<void> {
        const auto wait = [&gate] {
            gate.wait();
            return true;
        };
        (void)co_await thread.run(0, wait);  // the thread is busy until another was served
    }(parsing, other_served.get_future()));
    spawn(write_all(left, {large}));
    spawn(read_all(right, received, 1));
    asio::post(io_, [&] { asio::post(io_, [&] { other_served.set_value(); }); });
    run();
    EXPECT_THAT(received, ::testing::ElementsAre(Message(large)));
}

TEST_F(Connection, RefusesLengthsBeyondTheLimitWithoutWaitingForTheRest) {
    ControlConnection right(std::move(right_), kPatient, kernel_clock());
    asio::write(left_, asio::buffer("GET / HTTP/1.1\r\n\r\n", 18));
    std::string what;
    spawn(read_refusal(right, what));
    run();
    EXPECT_THAT(what, HasSubstr("does not speak Groma's control protocol: it began with 'GET '"));
}

TEST_F(Connection, CanStillSayWhatWasWrongWithAMessage) {
    ControlConnection left(std::move(left_), kPatient, kernel_clock());
    asio::write(right_, asio::buffer("\0\0\0\x02{}", 6));
    ControlConnection right(std::move(right_), kPatient, kernel_clock());
    std::string what;
    std::vector<Message> received;
    spawn([](ControlConnection& connection, std::string& refusal) -> asio::awaitable<void> {
        co_await read_refusal(connection, refusal);
        const Message last = Refused{.reason = refusal, .flow = std::nullopt};
        co_await connection.write(last);
    }(left, what));
    spawn(read_all(right, received, 1));
    run();
    EXPECT_THAT(std::get<Refused>(received.at(0)).reason, HasSubstr("'type' is missing"));
}

TEST_F(Connection, KnowsBothOfItsAddresses) {
    const SocketAddress expected = to_address(right_.local_endpoint());
    const ControlConnection left(std::move(left_), kPatient, kernel_clock());
    const ControlConnection right(std::move(right_), kPatient, kernel_clock());
    EXPECT_EQ(left.peer_address(), expected);
    EXPECT_EQ(right.local_address(), expected);
    EXPECT_EQ(left.peer(), expected.to_string());
}

asio::awaitable<void> connect_in_vain(SocketAddress to, SessionTimes times, std::string& refusal) {
    try {
        (void)co_await ControlConnection::connect(to, times, kernel_clock());
    } catch (const SystemError& error) {
        refusal = error.what();
    }
}

TEST_F(Connection, ToAPortWhereNobodyListensFailsWithAdvice) {
    std::optional<tcp::acceptor> acceptor(std::in_place, io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
    const SocketAddress nobody = to_address(acceptor->local_endpoint());
    acceptor.reset();
    std::string what;
    spawn(connect_in_vain(nobody, {}, what));
    // Taken for another host's, as it is not loopback.
    std::string elsewhere;
    spawn(connect_in_vain(SocketAddress::from_literal("0.0.0.0", nobody.port()), {}, elsewhere));
    run();
    EXPECT_EQ(what, "cannot connect to the receiver at " + nobody.to_string() +
                        ": Connection refused (is groma-recv running there?)");
    EXPECT_THAT(elsewhere,
                HasSubstr("(is groma-recv running there, and was it started with --open or --open-to-anyone?)"));
}

TEST_F(Connection, ToAPortThatIsSilentNamesFirewalls) {
    tcp::acceptor acceptor(io_, tcp::v4());
    acceptor.bind({asio::ip::address_v4::loopback(), 0});
    acceptor.listen(0);
    tcp::socket first(io_);
    first.connect(acceptor.local_endpoint());  // the queue is full: the kernel drops what comes
    const SocketAddress silent = to_address(acceptor.local_endpoint());
    std::string what;
    spawn(connect_in_vain(silent, {.connecting = std::chrono::milliseconds(20)}, what));
    run();
    EXPECT_THAT(what, HasSubstr("does a firewall drop what goes to TCP port " + std::to_string(silent.port()) + "?"));
}

TEST_F(Connection, IsMadeByConnect) {
    tcp::acceptor acceptor(io_, {asio::ip::address_v4::loopback(), 0});
    std::optional<Message> received;
    spawn([](SocketAddress to) -> asio::awaitable<void> {
        ControlConnection connection = co_await ControlConnection::connect(to, SessionTimes{}, kernel_clock());
        co_await connection.write(ProbeRequest{.number = 4});
    }(to_address(acceptor.local_endpoint())));
    spawn([](tcp::acceptor& listening, std::optional<Message>& message) -> asio::awaitable<void> {
        ControlConnection connection(co_await listening.async_accept(asio::use_awaitable), SessionTimes{},
                                     kernel_clock());
        message = co_await connection.read();
    }(acceptor, received));
    run();
    EXPECT_EQ(received, Message(ProbeRequest{.number = 4}));
}

}  // namespace
}  // namespace groma
