#include "sender/sender_daemon.hpp"

#include <gmock/gmock.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <string>
#include <thread>

#include "common/control/endpoint.hpp"
#include "sender/daemon_messages.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

class SenderDaemonTest : public ::testing::Test {
protected:
    SenderDaemonTest() {
        options_.listen = {SocketAddress::from_literal("127.0.0.1", 0)};
        options_.times.silence = options_.times.greeting = kPatience;
    }
    ~SenderDaemonTest() override {
        daemon_->stop();
        thread_.join();
    }
    void start() {
        daemon_.emplace(options_);
        thread_ = std::thread([this] { daemon_->run(); });
    }

    static std::string framed(const DaemonMessage& message) {
        const std::string text = serialize(message);
        return {'\0', '\0', static_cast<char>(text.size() >> 8U), static_cast<char>(text.size())};
    }

    /// All that the daemon says to these bytes.
    std::string answer_to(const std::string& bytes) {
        boost::asio::io_context io;
        boost::asio::ip::tcp::socket socket(io);
        socket.connect(to_endpoint(daemon_->addresses().front()));
        boost::asio::write(socket, boost::asio::buffer(bytes));
        std::string answer;
        boost::system::error_code end;
        boost::asio::read(socket, boost::asio::dynamic_buffer(answer), end);
        return answer;
    }
    std::string answer_to(const DaemonMessage& message) { return answer_to(framed(message) + serialize(message)); }

    SenderDaemonOptions options_;

private:
    std::optional<SenderDaemon> daemon_;
    std::thread thread_;
};

TEST_F(SenderDaemonTest, TellsAClientOfAnOlderReleaseWhatToDo) {
    start();
    const std::string answer = answer_to(RunFlows{});
    EXPECT_THAT(answer, HasSubstr("'flows' has no place before 'hello'"));
    EXPECT_THAT(answer, HasSubstr("install the same release on both hosts"));
}

TEST_F(SenderDaemonTest, RefusesAnotherVersionAndNamesBoth) {
    start();
    const std::string answer = answer_to(RunHello{.version = 7, .program = "groma-send 9.0.0", .host = "gamma"});
    EXPECT_THAT(answer, HasSubstr("(groma-send 9.0.0) speaks version 7"));
    EXPECT_THAT(answer, HasSubstr("version 2: install the same release"));
}

TEST_F(SenderDaemonTest, ReadsNoLongMessageOfWhoHasNotGreeted) {
    start();
    EXPECT_THAT(answer_to(std::string("\0\1\0\1", 4)), HasSubstr("at most 65536 are allowed before the greeting"));
}

TEST_F(SenderDaemonTest, GivesAClientMinutesToAskForItsRun) {
    options_.times.starting = Nanos{1};
    start();
    const DaemonMessage hello = RunHello{.program = "groma-send 0.1.0", .host = "gamma"};
    const DaemonMessage flows = RunFlows{};
    const std::string answer = answer_to(framed(hello) + serialize(hello) + framed(flows) + serialize(flows));
    EXPECT_THAT(answer, HasSubstr("welcome"));
    EXPECT_THAT(answer, HasSubstr("the run was not asked for within"));
}

}  // namespace
}  // namespace groma
