// Receivers that call in over loopback, each a plain socket.
#include "sender/links/reception.hpp"

#include <gmock/gmock.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <future>
#include <optional>
#include <thread>
#include <utility>

#include "common/access/first_messages.hpp"
#include "common/base/errors.hpp"
#include "common/control/endpoint.hpp"
#include "common/model/flow/flow_text.hpp"
#include "tests/control_frames.hpp"
#include "tests/every_role.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

constexpr SessionTimes kSlow{.silence = kPatience, .greeting = kPatience};

class ReceptionTest : public ::testing::Test {
protected:
    ReceptionTest() : work_(io_.get_executor()), thread_([this] { io_.run(); }) {
        reception_.emplace(io_, std::vector{SocketAddress::from_literal("127.0.0.1", 0)}, kSlow, desk());
    }
    ~ReceptionTest() override {
        reception_.reset();
        work_.reset();
        thread_.join();
    }

    [[nodiscard]] ReceptionDesk desk() {
        return {.clock = kernel_clock(),
                .refusal = [](const std::string& name) { return name == "beta" ? "" : "nobody awaits " + name; },
                .seat =
                    [this](const std::string& name, ControlConnection connection) {
                        connection.close();
                        seated_.set_value(name);
                    }};
    }

    /// The complete answer to it.
    std::string answer_to(const Message& message) {
        boost::asio::io_context io;
        boost::asio::ip::tcp::socket caller(io);
        caller.connect(to_endpoint(SocketAddress::from_literal("127.0.0.1", port())));
        boost::asio::write(caller, boost::asio::buffer(framed(serialize(message))));
        std::string answer;
        boost::system::error_code end;
        boost::asio::read(caller, boost::asio::dynamic_buffer(answer), end);
        return answer;
    }

    [[nodiscard]] std::uint16_t port() const { return parse_target(reception_->where(), 0).control_port; }

    boost::asio::io_context io_{1};
    boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
    std::promise<std::string> seated_;
    std::thread thread_;
    std::optional<Reception> reception_;
};

TEST_F(ReceptionTest, SeatsAReceiverThatIsAwaited) {
    EXPECT_EQ(answer_to(CallIn{.program = "groma-recv 0.1.0", .name = "beta"}), "");
    EXPECT_EQ(seated_.get_future().get(), "beta");
}

TEST_F(ReceptionTest, TellsAReceiverThatIsNotAwaitedWhy) {
    EXPECT_THAT(answer_to(CallIn{.program = "groma-recv 0.1.0", .name = "gamma"}), HasSubstr("nobody awaits gamma"));
}

TEST_F(ReceptionTest, RefusesWhoDoesNotCallIn) {
    EXPECT_THAT(answer_to(KeepAlive{}), HasSubstr("must be 'call_in', of a groma-recv --dial"));
}

TEST(Reception, TakesCallsOnlyAndOfKeysThatHaveTheRole) {
    for (const Grant& grant : grants_of_every_set_of_roles()) {
        for (const Message& message : one_of_every_message<Message>()) {
            const auto needed = role_to_begin(Server::passive_sender, type_name(message));
            const std::string expected = not needed                 ? "must be 'call_in'"
                                         : grant.roles.has(*needed) ? "taken"
                                                                    : taking(*needed);
            std::string answer = "taken";
            try {
                (void)caller_of(message, grant, "10.0.0.9:4000");
            } catch (const std::exception& error) {
                answer = error.what();
            }
            EXPECT_THAT(answer, HasSubstr(expected)) << type_name(message) << " of " << to_string(grant.roles);
        }
    }
}

TEST_F(ReceptionTest, SaysWhereItListensAndThatAnotherSenderMayBeThere) {
    const std::vector<SocketAddress> taken{SocketAddress::from_literal("127.0.0.1", port())};
    try {
        const Reception second(io_, taken, kSlow, desk());
        FAIL() << "two listen on " << second.where();
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), HasSubstr("is another groma-send --passive running? Give another port"));
    }
}

}  // namespace
}  // namespace groma
