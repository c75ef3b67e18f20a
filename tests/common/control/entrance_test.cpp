#include "common/control/entrance.hpp"

#include <gmock/gmock.h>
#include <sys/stat.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <fstream>
#include <vector>

#include "common/base/errors.hpp"
#include "common/control/awaited_call.hpp"
#include "common/control/endpoint.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr SessionTimes kPatientTimes{
    .silence = kPatience, .greeting = kPatience, .connecting = kPatience, .farewell = std::chrono::milliseconds(1)};
constexpr EntranceWords kDaemonWords{.daemon = "this receiver", .clients = "senders"};
constexpr uid_t kAnother = 54321;

AccessKey key_called(const std::string& name, unsigned char fill) {
    std::array<std::byte, Secret::kBytes> bytes{};
    bytes.fill(static_cast<std::byte>(fill));
    return {.grant = {.name = name, .roles = {Role::receive, Role::send}}, .secret = Secret(bytes)};
}

class EntranceTest : public ::testing::Test {
protected:
    static constexpr const char* kHost = "127.0.0.1";

    EntranceTest() : acceptor_(io_, {asio::ip::address_v4::loopback(), 0}) { ::chmod(folder_.path().c_str(), 0700); }

    void keep(const AccessKey& key, const std::string& host = kHost) {
        const std::filesystem::path file = folder_.path() / (key.grant.name + ".key");
        std::ofstream(file) << text_of(known_by_host(key, std::vector{host}));
        ::chmod(file.c_str(), 0600);
    }

    [[nodiscard]] Entrance entrance(uid_t owner = kAnother, bool ends_sessions = false) {
        return Entrance(
            io_, {.folder = folder_.path(), .given = {}, .ends_sessions = ends_sessions}, kDaemonWords, kernel_clock(),
            [this](const std::string& line) { said_.push_back(line); }, owner);
    }

    struct Outcome {
        std::optional<ControlConnection> client;
        std::string client_error;
        std::optional<ControlConnection> server;
    };

    asio::awaitable<void> call(Outcome& outcome, std::optional<OfferedKey> key) {
        try {
            outcome.client.emplace(co_await ControlConnection::connect(to_address(acceptor_.local_endpoint()),
                                                                       kPatientTimes, kernel_clock(), {}, key));
            const Message first = ProbeRequest{.number = 7};
            co_await outcome.client->write(first);
        } catch (const std::exception& error) {
            outcome.client_error = error.what();
        }
    }

    asio::awaitable<void> take(Entrance& entrance, std::optional<ControlConnection>& server,
                               SessionTimes times = kPatientTimes) {
        tcp::socket socket = co_await acceptor_.async_accept(asio::use_awaitable);
        std::optional<ControlConnection> admitted =
            co_await entrance.admit(std::move(socket), refusal_, times, nullptr);
        if (admitted) {
            server.emplace(*std::move(admitted));
        }
    }

    void spawn(asio::awaitable<void> task) {
        asio::co_spawn(io_, std::move(task), [](const std::exception_ptr& error) {
            if (error) {
                std::rethrow_exception(error);
            }
        });
    }

    void run() {
        io_.restart();
        io_.run();
    }

    /// A caller and the daemon meet.
    Outcome meet(Entrance& entrance, const std::optional<OfferedKey>& key) {
        Outcome outcome;
        spawn(call(outcome, key));
        spawn(take(entrance, outcome.server));
        run();
        return outcome;
    }

    static asio::awaitable<void> read_one(ControlConnection& connection, std::optional<Message>& message,
                                          std::string& error) {
        try {
            message = co_await connection.read();
        } catch (const std::exception& what) {
            error = what.what();
        }
    }
    std::optional<Message> read(ControlConnection& connection, std::string* why = nullptr) {
        std::optional<Message> message;
        std::string error;
        spawn(read_one(connection, message, error));
        run();
        if (why != nullptr) {
            *why = error;
        }
        return message;
    }

    static asio::awaitable<void> say(ControlConnection& client) {
        const Message probe = ProbeRequest{.number = 8};
        co_await client.write(probe);
    }
    /// Why the daemon does not hear its caller any more; empty: it does.
    std::string deafness(Outcome& outcome) {
        spawn(say(*outcome.client));
        std::string why;
        (void)read(*outcome.server, &why);
        return why;
    }

    /// What the daemon answers to these bytes, to the end of the connection.
    std::string answer_to(Entrance& entrance, const std::string& bytes) {
        tcp::socket socket(io_);
        socket.connect(acceptor_.local_endpoint());
        asio::write(socket, asio::buffer(bytes));
        socket.shutdown(tcp::socket::shutdown_send);
        std::optional<ControlConnection> server;
        spawn(take(entrance, server));
        run();
        EXPECT_FALSE(server.has_value());
        std::string answer;
        boost::system::error_code error;
        asio::read(socket, asio::dynamic_buffer(answer), error);
        return answer;
    }

    const AccessKey lab_ = key_called("lab", 1);
    asio::io_context io_;
    tcp::acceptor acceptor_;
    TemporaryFolder folder_;
    std::string refusal_;
    std::vector<std::string> said_;
};

TEST_F(EntranceTest, AdmitsWhoProvesAKeyAndSaysWhose) {
    keep(lab_);
    Entrance one = entrance();
    Outcome outcome = meet(one, lab_.offered_to(kHost));
    EXPECT_EQ(outcome.client_error, "");
    ASSERT_TRUE(outcome.server.has_value());
    EXPECT_EQ(outcome.server->grant(), lab_.grant);
    EXPECT_TRUE(outcome.server->is_private());
    EXPECT_EQ(read(*outcome.server), Message(ProbeRequest{.number = 7}));
    EXPECT_THAT(said_, ElementsAre("asks for keys: 1 key in " + folder_.path().string()));
    EXPECT_EQ(outcome.server->caller(), outcome.server->peer() + " with the key lab");
}

TEST_F(EntranceTest, CarriesLongMessagesBothWaysAtOnceUnderTls) {
    keep(lab_);
    Entrance one = entrance();
    Outcome outcome = meet(one, lab_.offered_to(kHost));
    ASSERT_TRUE(outcome.server.has_value());
    EXPECT_EQ(read(*outcome.server), Message(ProbeRequest{.number = 7}));
    outcome.server->allow(kMaxMessageBytes);
    Finish large;
    for (std::uint32_t id = 1; id <= 20'000; ++id) {
        large.flows.push_back({.flow = FlowId{id}, .packets = 1, .bytes = 1});
    }
    const Message message = large;
    const auto write = [&message](ControlConnection& connection) -> asio::awaitable<void> {
        co_await connection.write(message);
    };
    std::array<std::optional<Message>, 2> received;
    std::string error;
    spawn(write(*outcome.client));
    spawn(write(*outcome.server));
    spawn(read_one(*outcome.client, received[0], error));
    spawn(read_one(*outcome.server, received[1], error));
    run();
    EXPECT_EQ(error, "");
    EXPECT_EQ(received[0], message);
    EXPECT_EQ(received[1], message);
}

TEST_F(EntranceTest, TellsAnUnknownKeyAWrongOneAndAnExpiredOneTheSame) {
    keep(lab_);
    AccessKey old = key_called("old", 2);
    old.grant.last_day = parse_day("2001-02-03");
    keep(old);
    Entrance one = entrance();
    OfferedKey wrong = lab_.offered_to(kHost);
    wrong.key.secret = key_called("x", 9).secret;
    std::vector<std::string> errors;
    for (const OfferedKey& key : {wrong, key_called("lab", 3).offered_to(kHost), lab_.offered_to("beta"),
                                  OfferedKey{.name = "lab", .host = kHost, .key = old.offered_to(kHost).key}}) {
        OfferedKey same_names = key;
        same_names.host = kHost;
        Outcome outcome = meet(one, same_names);
        EXPECT_FALSE(outcome.server.has_value());
        errors.push_back(outcome.client_error);
    }
    EXPECT_THAT(errors.front(), HasSubstr("does not take the key 'lab' for the host '127.0.0.1'"));
    EXPECT_THAT(errors.front(), HasSubstr("groma-key host FILE 127.0.0.1"));
    EXPECT_THAT(errors, ::testing::Each(errors.front()));
    EXPECT_THAT(said_.at(1), "127.0.0.1: turned away: it did not prove the key 'lab'");
}

TEST_F(EntranceTest, SaysThatAKeyHasExpired) {
    AccessKey old = lab_;
    old.grant.last_day = parse_day("2001-02-03");
    keep(old);
    Entrance one = entrance();
    EXPECT_FALSE(meet(one, lab_.offered_to(kHost)).server.has_value());
    EXPECT_EQ(said_.back(), "127.0.0.1: turned away: its key 'lab' was good until 2001-02-03");
}

TEST_F(EntranceTest, TurnsAwayWhoHasNoKeyBeforeItReadsWhatTheySay) {
    Entrance one = entrance();
    Outcome outcome = meet(one, std::nullopt);
    EXPECT_FALSE(outcome.server.has_value());
    const std::optional<Message> answer = read(*outcome.client);
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(std::get<Refused>(*answer).reason,
              "this receiver takes senders that have a key: give yours with --key FILE (groma-key new makes one, and "
              "groma-key host this host's part of it, for the folder of --keys)");
    const std::string answer_to_nonsense = answer_to(one, "GET / HTTP/1.1\r\n\r\n");
    EXPECT_THAT(answer_to_nonsense, HasSubstr("this receiver takes senders that have a key"));
}

TEST_F(EntranceTest, AsksNoKeyOfProgramsOfItsOwnUser) {
    Entrance one = entrance(::geteuid());
    Outcome outcome = meet(one, std::nullopt);
    ASSERT_TRUE(outcome.server.has_value());
    EXPECT_EQ(outcome.server->grant(), std::nullopt);
}

TEST_F(EntranceTest, TakesKeysThatItWasGivenAndNoProgramOfItsOwnUserWithoutOne) {
    KeySource keys;
    keys.given.add(known_by_host(lab_, std::vector<std::string>{kHost}), "");
    Entrance one(
        io_, keys, kDaemonWords, kernel_clock(), [this](const std::string& line) { said_.push_back(line); },
        ::geteuid());
    EXPECT_TRUE(one.asks_for_keys());
    one.read_again_on_hangup();  // would run for ever if it awaited the signal
    Outcome outcome = meet(one, lab_.offered_to(kHost));
    ASSERT_TRUE(outcome.server.has_value());
    EXPECT_EQ(outcome.server->grant(), lab_.grant);
    EXPECT_FALSE(meet(one, key_called("lab", 3).offered_to(kHost)).server.has_value());
    EXPECT_EQ(said_.back(), "127.0.0.1: turned away: its key is none of those here");
    Outcome in_clear = meet(one, std::nullopt);
    EXPECT_FALSE(in_clear.server.has_value());
    const std::optional<Message> answer = read(*in_clear.client);
    ASSERT_TRUE(answer.has_value());
    EXPECT_EQ(std::get<Refused>(*answer).reason,
              "this receiver takes senders of its own job only (groma-mpi): start another one for yours");
}

TEST_F(EntranceTest, WithoutKeysTakesAllInClearAndNoneWithAKey) {
    Entrance one(
        io_, {}, kDaemonWords, kernel_clock(), [this](const std::string& line) { said_.push_back(line); }, kAnother);
    EXPECT_TRUE(meet(one, std::nullopt).server.has_value());
    Outcome outcome = meet(one, lab_.offered_to(kHost));
    EXPECT_FALSE(outcome.server.has_value());
    EXPECT_THAT(outcome.client_error, HasSubstr("does not take the key 'lab'"));
    EXPECT_THAT(said_, ElementsAre("127.0.0.1: turned away: it offers a key, and --keys is not given"));
}

TEST_F(EntranceTest, AnswersWhatBeginsLikeTlsWithAnAlertAlone) {
    keep(lab_);
    Entrance one = entrance();
    const std::string hello(
        "\x16\x03\x01\x00\x05"
        "hello",
        10);
    const std::string answer = answer_to(one, hello);
    ASSERT_EQ(answer.size(), 7U);
    EXPECT_EQ(answer.substr(0, 1), "\x15");  // an alert (RFC 8446, 5.1)
    EXPECT_EQ(answer_to(one, "\x16"), "");
    EXPECT_EQ(answer_to(one, ""), "");
}

TEST_F(EntranceTest, WaitsForTheEndOfAHandshakeAsLongAsForAGreeting) {
    keep(lab_);
    Entrance one = entrance();
    SessionTimes times = kPatientTimes;
    times.greeting = std::chrono::milliseconds(5);
    for (const std::string& begin : {std::string(), std::string("\x16\x03\x01\x02\x00", 5)}) {
        tcp::socket silent(io_);
        silent.connect(acceptor_.local_endpoint());
        asio::write(silent, asio::buffer(begin));
        std::optional<ControlConnection> server;
        spawn(take(one, server, times));
        run();
        EXPECT_FALSE(server.has_value());
    }
}

TEST_F(EntranceTest, TakesKeysThatAreAddedLaterAndNoneThatWereRemovedWhateverElseIsThere) {
    Entrance one = entrance();
    EXPECT_FALSE(meet(one, lab_.offered_to(kHost)).server.has_value());
    keep(lab_);
    one.read_again();
    EXPECT_TRUE(meet(one, lab_.offered_to(kHost)).server.has_value());
    std::ofstream(folder_.path() / "bad.key") << "{}";
    ::chmod((folder_.path() / "bad.key").c_str(), 0600);
    one.read_again();
    EXPECT_TRUE(meet(one, lab_.offered_to(kHost)).server.has_value());
    EXPECT_THAT(said_.front(), HasSubstr("no file *.key is in "));
    EXPECT_THAT(said_, ::testing::Contains(HasSubstr("has read the keys again: 1 key in ")));
    EXPECT_THAT(said_, ::testing::Contains(HasSubstr("a key is not good: ")));
    std::filesystem::remove(folder_.path() / "lab.key");
    one.read_again();
    EXPECT_FALSE(meet(one, lab_.offered_to(kHost)).server.has_value());
    ::chmod(folder_.path().c_str(), 0777);
    one.read_again();
    EXPECT_THAT(said_.back(), HasSubstr("the keys stay as they were, those that were removed included: "));
}

TEST_F(EntranceTest, ConnectionsEndWithTheirKeyWhereThatIsAskedFor) {
    const AccessKey other = key_called("other", 8);
    keep(lab_);
    keep(other);
    for (const bool ends : {false, true}) {
        keep(lab_);
        Entrance one = entrance(kAnother, ends);
        Outcome lost = meet(one, lab_.offered_to(kHost));
        Outcome kept = meet(one, other.offered_to(kHost));
        ASSERT_TRUE(lost.server.has_value() and kept.server.has_value());
        std::filesystem::remove(folder_.path() / "lab.key");
        one.read_again();
        EXPECT_EQ(said_.back().ends_with("with the key lab: ended: its key was removed here, or has expired"), ends);
        EXPECT_EQ(deafness(lost).find("this receiver takes the key 'lab' no more") != std::string::npos, ends);
        EXPECT_EQ(deafness(kept), "");
    }
}

TEST_F(EntranceTest, AKeyOfOneNameHasTheFewestBytesOfLogs) {
    AccessKey usual = lab_;
    usual.grant.limits.log_bytes = Bytes{10};
    AccessKey lower = key_called("lab", 9);
    lower.grant.limits.log_bytes = Bytes{5};
    KeySource keys;
    for (const AccessKey& key : {usual, lower, key_called("lab", 10), key_called("other", 8)}) {
        keys.given.add(known_by_host(key, std::vector<std::string>{kHost}), "");
    }
    const Entrance one(io_, keys, kDaemonWords, kernel_clock(), [](const std::string&) {});
    EXPECT_EQ(one.grant_for_logs(usual.grant), lower.grant);
    EXPECT_EQ(one.grant_for_logs(key_called("other", 8).grant).limits, Limits());
    EXPECT_EQ(one.grant_for_logs({.name = "gone"}).name, "gone");
}

TEST_F(EntranceTest, ADaemonOfAnotherKeyIsNotTakenForTheHost) {
    // It lets everybody in, but has not the key that the caller knows it by.
    keep(key_called("theirs", 8));
    Entrance one = entrance();
    OfferedKey offered = key_called("theirs", 8).offered_to(kHost);
    offered.key.secret = lab_.secret;
    EXPECT_THAT(meet(one, offered).client_error, HasSubstr("does not take the key 'theirs'"));
}

TEST_F(EntranceTest, APeerThatSpeaksInClearGetsNoKey) {
    Outcome outcome;
    spawn(call(outcome, lab_.offered_to(kHost)));
    spawn([](tcp::acceptor& acceptor) -> asio::awaitable<void> {
        tcp::socket socket = co_await acceptor.async_accept(asio::use_awaitable);
        co_await asio::async_write(socket, asio::buffer("\0\0\0\x15{\"type\":\"keep_alive\"}", 25),
                                   asio::use_awaitable);
        std::array<char, 4096> unread{};
        co_await socket.async_read_some(asio::buffer(unread), asio::use_awaitable);
    }(acceptor_));
    run();
    EXPECT_THAT(outcome.client_error, HasSubstr("speaks in clear, and the key 'lab' is for a peer that has it"));
}

TEST_F(EntranceTest, AConnectionUnderTlsGoesOnInAnotherIoContext) {
    keep(lab_);
    Entrance one = entrance();
    Outcome outcome = meet(one, lab_.offered_to(kHost));
    ASSERT_TRUE(outcome.server.has_value());
    EXPECT_EQ(read(*outcome.server), Message(ProbeRequest{.number = 7}));
    AwaitedCall call;
    ASSERT_TRUE(call.give(*outcome.server));
    outcome.server.reset();
    asio::io_context other;
    std::optional<ControlConnection> taken = call.take(other, kPatientTimes, kernel_clock());
    ASSERT_TRUE(taken.has_value());
    const Message sent = ProbeRequest{.number = 8};
    const auto write = [&sent](ControlConnection& connection) -> asio::awaitable<void> {
        co_await connection.write(sent);
    };
    asio::co_spawn(other, write(*taken), asio::detached);
    other.run();
    EXPECT_EQ(read(*outcome.client), sent);
    taken->close();
    std::string why;
    EXPECT_EQ(read(*outcome.client, &why), std::nullopt);
    EXPECT_THAT(why, HasSubstr("closed the connection"));
}

TEST_F(EntranceTest, TellsARefusalUnderTlsWhereKeysAreAskedForAndElseAtOnce) {
    keep(lab_);
    Entrance keyed = entrance();
    refusal_ = "full";
    EXPECT_TRUE(meet(keyed, lab_.offered_to(kHost)).server.has_value());
    Entrance open(
        io_, {}, kDaemonWords, kernel_clock(), [](const std::string&) {}, kAnother);
    tcp::socket silent(io_);
    silent.connect(acceptor_.local_endpoint());
    std::optional<ControlConnection> server;
    spawn(take(open, server));
    run();
    EXPECT_TRUE(server.has_value());
}

TEST_F(EntranceTest, TurnsAwayWhoStillWaitsWhenItStops) {
    keep(lab_);
    Entrance one = entrance();
    for (const std::string& begin : {std::string(), std::string("\x16\x03\x01\x02\x00", 5)}) {
        tcp::socket silent(io_);
        silent.connect(acceptor_.local_endpoint());
        asio::write(silent, asio::buffer(begin));
        std::optional<ControlConnection> server;
        spawn(take(one, server));
        asio::post(io_, [&] { asio::post(io_, [&] { one.stop(); }); });
        run();
        EXPECT_FALSE(server.has_value());
    }
    EXPECT_FALSE(meet(one, lab_.offered_to(kHost)).server.has_value());
}

}  // namespace
}  // namespace groma
