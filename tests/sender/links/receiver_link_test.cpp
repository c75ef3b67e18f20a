// The sender's side of a control session with a receiver that the test simulates, over loopback, in one io_context.
#include "sender/links/receiver_link.hpp"

#include <gmock/gmock.h>

#include <array>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <exception>
#include <optional>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/control/endpoint.hpp"
#include "common/time/manual_clock.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"
#include "tests/sample_flow.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ::testing::HasSubstr;

/// Behaves like a receiver, except for the results, which the test sends.
class PlayedReceiver {
public:
    explicit PlayedReceiver(asio::io_context& io) : acceptor_(io, {asio::ip::address_v4::loopback(), 0}) {}

    [[nodiscard]] SocketAddress address() const { return to_address(acceptor_.local_endpoint()); }
    [[nodiscard]] ControlConnection& connection() { return *connection_; }

    asio::awaitable<void> receive() {
        connection_.emplace(co_await acceptor_.async_accept(asio::use_awaitable), SessionTimes{.silence = kPatience},
                            kernel_clock());
        try {
            while (true) {
                const Message message = co_await connection_->read();
                if (const std::optional<Message> answer = answer_to(message)) {
                    co_await connection_->write(*answer);
                }
            }
        } catch (const ProtocolError&) {
            // The link has ended the session.
        }
    }

    std::optional<Finish> finish;
    std::optional<Token> resumed{};            ///< with this token
    std::optional<LogSection> log;             ///< its answer to what is fetched, but for the offset
    std::vector<ProgressRequest> questions{};  ///< which the test answers

private:
    std::optional<Message> answer_to(const Message& message) {
        if (std::holds_alternative<Hello>(message)) {
            return Welcome{};
        }
        if (const auto* const open = std::get_if<OpenFlows>(&message)) {
            FlowsOpened opened;
            for (const FlowSpec& flow : open->flows) {
                opened.flows.push_back({.flow = flow.id, .port = 9001});
            }
            return opened;
        }
        if (const auto* const probe = std::get_if<ProbeRequest>(&message)) {
            return ProbeReply{.number = probe->number};
        }
        if (const auto* const fetch = std::get_if<FetchLog>(&message)) {
            LogSection section = log.value();
            section.offset = fetch->offset;
            return section;
        }
        if (const auto* const resume = std::get_if<ResumeFetch>(&message)) {
            resumed = resume->token;
            return FetchResumed{};
        }
        if (std::holds_alternative<RemoveLog>(message)) {
            return LogRemoved{};
        }
        if (const auto* const last = std::get_if<Finish>(&message)) {
            finish = *last;
        }
        if (const auto* const question = std::get_if<ProgressRequest>(&message)) {
            questions.push_back(*question);
        }
        return std::nullopt;
    }

    tcp::acceptor acceptor_;
    std::optional<ControlConnection> connection_;
};

constexpr SessionTimes kPatient{.silence = kPatience, .answer = kPatience};

class ReceiverLinkTest : public ::testing::Test {
protected:
    void spawn(asio::awaitable<void> task) {
        asio::co_spawn(io_, std::move(task), [](const std::exception_ptr& error) {
            if (error) {
                std::rethrow_exception(error);
            }
        });
    }

    template <typename Done>
    void run_until(Done done) {
        while (not done()) {
            ASSERT_GT(io_.run_one(), 0U) << "both sides have stopped";
        }
    }

    void open(ReceiverLink& link, PlayedReceiver& receiver) {
        bool opened = false;
        spawn(receiver.receive());
        spawn([](ReceiverLink& one, bool& is_open) -> asio::awaitable<void> {
            const Hello hello{.run_id = "0123456789abcdef0123456789abcdef", .experiment = "test", .host = "alpha"};
            (void)co_await one.open(hello);
            is_open = true;
        }(link, opened));
        run_until([&] { return opened; });
    }

    /// The receiver's next message.
    void say(PlayedReceiver& receiver, Message message) {
        spawn([](PlayedReceiver& one, Message said) -> asio::awaitable<void> {
            try {
                co_await one.connection().write(said);
            } catch (const ProtocolError&) {
                // The link may have ended the session before.
            }
        }(receiver, std::move(message)));
    }

    /// The results of all flows, or why there are none.
    void finish(ReceiverLink& link, std::optional<ReceiverResults>& results, std::string& error) {
        spawn([](ReceiverLink& one, std::optional<ReceiverResults>& found, std::string& why) -> asio::awaitable<void> {
            try {
                found = co_await one.finish(Finish{});
            } catch (const RunError& wrong) {
                why = wrong.what();
            }
        }(link, results, error));
    }

    void end(ReceiverLink& link, PlayedReceiver& receiver) {
        link.close();
        receiver.connection().close();
        io_.run();
    }

    ManualClock clock_;
    asio::io_context io_{1};
    PlayedReceiver receiver_{io_};
    ReceiverLink link_{io_, {.address = receiver_.address(), .flows = {flow_numbered(1)}}, clock_, kPatient};
};

TEST_F(ReceiverLinkTest, EndsASessionInWhichResultsComeUnasked) {
    PlayedReceiver other(io_);
    ReceiverLink other_link(io_, {.address = other.address(), .flows = {flow_numbered(2)}}, clock_, kPatient);
    open(link_, receiver_);
    open(other_link, other);
    for (int i = 0; i < 3; ++i) {
        say(receiver_, ReceiverResults{.flows = {received(1)}, .log_error = {}});
    }
    say(receiver_, Refused{.reason = "the end of the test", .flow = std::nullopt});
    run_until([&] { return link_.lost().has_value(); });
    EXPECT_THAT(*link_.lost(), HasSubstr("the receiver at " + receiver_.address().to_string() +
                                         " sent 'results', for which it was not asked"));
    std::optional<ReceiverResults> results;
    std::string error;
    finish(other_link, results, error);
    run_until([&] { return other.finish.has_value(); });
    say(other, ReceiverResults{.flows = {received(2)}, .log_error = {}});
    run_until([&] { return results or not error.empty(); });
    EXPECT_EQ(error, "");
    EXPECT_FALSE(other_link.lost());
    end(other_link, other);
    end(link_, receiver_);
}

TEST_F(ReceiverLinkTest, TakesNoResultsOfOtherFlowsThanWereOpened) {
    for (const std::vector<ReceivedFlow>& flows :
         {std::vector{received(1), received(1)}, std::vector{received(2)}, std::vector<ReceivedFlow>{}}) {
        PlayedReceiver receiver(io_);
        ReceiverLink link(io_, {.address = receiver.address(), .flows = {flow_numbered(1)}}, clock_, kPatient);
        open(link, receiver);
        std::optional<ReceiverResults> results;
        std::string error;
        finish(link, results, error);
        run_until([&] { return receiver.finish.has_value(); });
        say(receiver, ReceiverResults{.flows = flows, .log_error = {}});
        run_until([&] { return results or not error.empty(); });
        EXPECT_FALSE(results);
        EXPECT_THAT(error, HasSubstr("the receiver at " + receiver.address().to_string() + " sent results of " +
                                     counted(flows.size(), "flow") + " and not of the 1 that it was to open"));
        end(link, receiver);
        io_.restart();
    }
}

TEST_F(ReceiverLinkTest, EndsASessionInWhichASectionOfALogComesUnasked) {
    open(link_, receiver_);
    say(receiver_, LogSection{});
    run_until([&] { return link_.lost().has_value(); });
    EXPECT_THAT(*link_.lost(), HasSubstr("sent 'log_section', for which it was not asked"));
    end(link_, receiver_);
}

TEST_F(ReceiverLinkTest, FetchesTheSectionsOfALogAndHasItRemoved) {
    open(link_, receiver_);
    receiver_.log = LogSection{.offset = 0, .log_bytes = 3, .hash = 7, .bytes = std::vector<std::byte>(3)};
    std::optional<LogSection> section;
    bool removed = false;
    spawn([](ReceiverLink& link, std::optional<LogSection>& found, bool& gone) -> asio::awaitable<void> {
        found = co_await link.fetch_log(kLogSectionBytes);
        (void)co_await link.remove_log();
        gone = true;
    }(link_, section, removed));
    run_until([&] { return removed; });
    receiver_.log->offset = kLogSectionBytes;
    EXPECT_EQ(section, receiver_.log);
    end(link_, receiver_);
}

TEST_F(ReceiverLinkTest, AsksForProgressAgainOnlyWhenTheLastAnswerHasCome) {
    open(link_, receiver_);
    link_.ask_progress({.number = 1, .each_flow = true});
    link_.ask_progress({.number = 2, .each_flow = true});
    run_until([&] { return not receiver_.questions.empty(); });
    EXPECT_FALSE(link_.progress());
    const ProgressReply reply{
        .number = 1, .all = {.packets = 5}, .flows = {{.flow = FlowId{1}, .arrived = {.packets = 5}}}};
    say(receiver_, reply);
    run_until([&] { return link_.progress().has_value(); });
    EXPECT_EQ(link_.progress(), reply);
    link_.ask_progress({.number = 3});
    run_until([&] { return receiver_.questions.size() == 2; });
    EXPECT_EQ(receiver_.questions.back().number, 3U);
    EXPECT_FALSE(link_.lost());
    end(link_, receiver_);
}

TEST_F(ReceiverLinkTest, EndsASessionWithProgressThatWasNotAskedForOrOfOtherFlows) {
    const FlowSoFar other{.flow = FlowId{2}, .arrived = {}};
    for (const auto& [reply, why] :
         {std::pair{ProgressReply{.number = 2}, "sent 'progress', for which it was not asked"},
          std::pair{ProgressReply{.number = 1, .flows = {other}}, "sent progress of 1 flow and not of the 1"}}) {
        PlayedReceiver receiver(io_);
        ReceiverLink link(io_, {.address = receiver.address(), .flows = {flow_numbered(1)}}, clock_, kPatient);
        open(link, receiver);
        link.ask_progress({.number = 1});
        say(receiver, reply);
        run_until([&] { return link.lost().has_value(); });
        EXPECT_THAT(*link.lost(), HasSubstr(why));
        EXPECT_FALSE(link.progress());
        end(link, receiver);
        io_.restart();
    }
}

TEST_F(ReceiverLinkTest, GoesOnToFetchALogOverAnotherConnection) {
    const Token token = token_from_hex("000102030405060708090a0b0c0d0eff");
    receiver_.log = LogSection{.offset = kLogSectionBytes};
    std::optional<LogSection> section;
    spawn(receiver_.receive());
    spawn([](ReceiverLink& link, Token one, std::optional<LogSection>& found) -> asio::awaitable<void> {
        (void)co_await link.resume_fetch(one);
        found = co_await link.fetch_log(kLogSectionBytes);
    }(link_, token, section));
    run_until([&] { return section.has_value(); });
    EXPECT_EQ(receiver_.resumed, token);
    EXPECT_EQ(section, receiver_.log);
    end(link_, receiver_);
}

TEST_F(ReceiverLinkTest, SaysForHowLongThisSideStoodStillWhenTheReceiverWentMeanwhile) {
    open(link_, receiver_);
    io_.poll();  // what was to be written is written
    clock_.advance(std::chrono::seconds(60));
    receiver_.connection().close();
    run_until([&] { return link_.lost().has_value(); });
    EXPECT_EQ(*link_.lost(),
              "the receiver at " + receiver_.address().to_string() +
                  " closed the connection, after this sender stood still for 60 s (was it stopped, or its "
                  "host suspended or overloaded?)");
    end(link_, receiver_);
}

TEST_F(ReceiverLinkTest, MayBeDestroyedWhenAReceiverThatHadCalledInIsGone) {
    tcp::acceptor acceptor(io_, {asio::ip::address_v4::loopback(), 0});
    tcp::socket caller(io_);
    caller.connect(acceptor.local_endpoint());
    std::optional<ReceiverLink> link(std::in_place, io_, ReceiverPlan{.address = {}, .flows = {flow_numbered(1)}},
                                     clock_, kPatient);
    link->adopt(ControlConnection(acceptor.accept(), kPatient, clock_), "beta");
    io_.poll();
    EXPECT_FALSE(link->at_rest());
    caller.close();
    run_until([&] { return link->at_rest(); });
    EXPECT_TRUE(link->lost());
    link.reset();
    io_.run();
}

TEST_F(ReceiverLinkTest, SaysOnlyThatTheReceiverWentWhenThisSideWasThere) {
    open(link_, receiver_);
    receiver_.connection().close();
    run_until([&] { return link_.lost().has_value(); });
    EXPECT_EQ(*link_.lost(), "the receiver at " + receiver_.address().to_string() + " closed the connection");
    end(link_, receiver_);
}

TEST_F(ReceiverLinkTest, AsksWhetherThePortIsTheRightOneWhenAnythingElseListens) {
    for (const auto& [words, why] :
         {std::pair{"SSH-2.0-OpenSSH_9.2\r\n", " does not speak Groma's control protocol: it began with 'SSH-'"},
          std::pair{"", " closed the connection"}}) {
        tcp::acceptor acceptor(io_, {asio::ip::address_v4::loopback(), 0});
        const std::string port = std::to_string(acceptor.local_endpoint().port());
        ReceiverLink link(io_, {.address = to_address(acceptor.local_endpoint()), .flows = {flow_numbered(1)}}, clock_,
                          kPatient);
        std::string error;
        spawn([](ReceiverLink& one, std::string& what) -> asio::awaitable<void> {
            try {
                (void)co_await one.open(Hello{});
            } catch (const RunError& wrong) {
                what = wrong.what();
            }
        }(link, error));
        spawn([](tcp::acceptor& other, std::string_view said) -> asio::awaitable<void> {
            tcp::socket socket = co_await other.async_accept(asio::use_awaitable);
            co_await asio::async_write(socket, asio::buffer(said), asio::use_awaitable);
            socket.shutdown(tcp::socket::shutdown_send);
            std::array<char, 4096> unread{};
            boost::system::error_code gone;
            while (not gone) {
                co_await socket.async_read_some(asio::buffer(unread), asio::redirect_error(asio::use_awaitable, gone));
            }
        }(acceptor, words));
        run_until([&] { return not error.empty(); });
        EXPECT_EQ(error, "the receiver at 127.0.0.1:" + port + why + "; is " + port + " groma-recv's control port?");
        link.close();
        io_.run();
        io_.restart();
    }
}

}  // namespace
}  // namespace groma
