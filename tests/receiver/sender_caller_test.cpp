// A receiver that dials against a sender that the test plays, over loopback, in one io_context.
#include "receiver/sender_caller.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>
#include <vector>

#include "common/base/errors.hpp"
#include "common/control/endpoint.hpp"
#include "common/control/messages.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SenderCallerTest : public ::testing::Test {
protected:
    SenderCaller caller(bool once) {
        return {{.host = "127.0.0.1", .port = port_, .name = "beta", .once = once},
                {.executor = io_.get_executor(),
                 .clock = kernel_clock(),
                 .times = times_,
                 .program = "groma-recv test",
                 .say = [this](const std::string& line) { said_.push_back(line); }}};
    }

    void spawn(asio::awaitable<void> task) {
        asio::co_spawn(io_, std::move(task), [](const std::exception_ptr& error) {
            if (error) {
                std::rethrow_exception(error);
            }
        });
    }

    /// The sender takes so many calls and reads what each says first.
    asio::awaitable<void> take_calls(std::size_t calls) {
        while (heard_.size() < calls) {
            ControlConnection connection(co_await acceptor_.async_accept(asio::use_awaitable), times_, kernel_clock());
            heard_.push_back(co_await connection.read());
        }
    }

    /// The receiver's sessions receive packets from this one on.
    SenderCaller::Attend sessions_that_receive_from(std::size_t session) {
        return [this, session](ControlConnection connection) -> asio::awaitable<bool> {
            return serve(std::move(connection), session);
        };
    }

    SessionTimes times_{.silence = kPatience,
                        .answer = kPatience,
                        .first_pause = std::chrono::milliseconds(1),
                        .longest_pause = std::chrono::milliseconds(1)};
    asio::io_context io_{1};
    tcp::acceptor acceptor_{io_, {asio::ip::address_v4::loopback(), 0}};
    std::uint16_t port_ = acceptor_.local_endpoint().port();
    std::vector<std::string> said_;
    std::vector<Message> heard_;
    std::size_t sessions_ = 0;

private:
    asio::awaitable<bool> serve(ControlConnection connection, std::size_t receives_from) {
        EXPECT_TRUE(connection.is_open());
        connection.close();
        co_return ++sessions_ >= receives_from;
    }
};

TEST_F(SenderCallerTest, SaysWhoCallsAndEndsAfterTheOneSessionThatWasAskedFor) {
    SenderCaller dialling = caller(true);
    spawn(take_calls(1));
    spawn(dialling.call_on(sessions_that_receive_from(1)));
    io_.run();
    ASSERT_EQ(heard_.size(), 1U);
    EXPECT_EQ(std::get<CallIn>(heard_[0]).name, "beta");
    EXPECT_EQ(std::get<CallIn>(heard_[0]).program, "groma-recv test");
    EXPECT_EQ(sessions_, 1U);
    EXPECT_THAT(said_, ElementsAre("called 127.0.0.1:" + std::to_string(port_) + " as beta"));
}

TEST_F(SenderCallerTest, CallsAgainUntilASessionHasReceivedSomething) {
    SenderCaller dialling = caller(true);
    spawn(take_calls(3));
    spawn(dialling.call_on(sessions_that_receive_from(3)));
    io_.run();
    EXPECT_EQ(sessions_, 3U);
}

TEST_F(SenderCallerTest, CallsOnAfterASessionUnlessItWasToBeTheOnlyOne) {
    SenderCaller dialling = caller(false);
    spawn(take_calls(2));
    spawn(dialling.call_on(sessions_that_receive_from(1)));
    while (sessions_ < 2) {
        ASSERT_GT(io_.run_one(), 0U);
    }
    EXPECT_FALSE(dialling.stop()) << "between two calls";
    io_.run();  // returns
    EXPECT_EQ(sessions_, 2U);
}

TEST_F(SenderCallerTest, SaysOnceThatTheSenderIsUnreachable) {
    acceptor_.close();
    SenderCaller dialling = caller(true);
    spawn(dialling.call_on(sessions_that_receive_from(1)));
    for (int step = 0; step < 100; ++step) {
        ASSERT_GT(io_.run_one(), 0U);
    }
    static_cast<void>(dialling.stop());
    io_.run();
    EXPECT_THAT(said_, ElementsAre(HasSubstr("is groma-send --passive running there?); calling on")));
    EXPECT_EQ(sessions_, 0U);
}

}  // namespace
}  // namespace groma
