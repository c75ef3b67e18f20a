#include "sender/daemon/sender_daemon.hpp"

#include <gmock/gmock.h>

#include <array>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "common/base/errors.hpp"
#include "common/control/endpoint.hpp"
#include "sender/daemon/daemon_messages.hpp"
#include "sender/daemon/remote_run.hpp"
#include "sender/daemon/run_request.hpp"
#include "tests/common/http/http_client.hpp"
#include "tests/control_frames.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"
#include "tests/silent_names.hpp"

namespace groma {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SenderDaemonTest : public ::testing::Test {
protected:
    SenderDaemonTest() {
        nobody_.open(boost::asio::ip::tcp::v4());
        nobody_.bind({boost::asio::ip::address_v4::loopback(), 0});
        options_.listen = {SocketAddress::from_literal("127.0.0.1", 0)};
        options_.times.silence = options_.times.greeting = options_.times.lookup = kPatience;
        options_.look_up = names_.look_up();
        options_.say = [this](const std::string& line) {
            const std::scoped_lock lock(mutex_);
            said_ += line + '\n';
            changed_.notify_all();
        };
    }
    ~SenderDaemonTest() override { stop(); }
    void stop() {
        if (thread_.joinable()) {
            daemon_->stop();
            thread_.join();
        }
    }
    void start() {
        daemon_.emplace(options_, kernel_clock());
        thread_ = std::thread([this] { daemon_->run(); });
    }

    /// The daemon's complete answer to these bytes.
    std::string answer_to(const std::string& bytes) {
        boost::asio::ip::tcp::socket socket = ask(bytes);
        return all_from(socket);
    }
    static std::string all_from(boost::asio::ip::tcp::socket& socket) {
        std::string answer;
        boost::system::error_code end;
        boost::asio::read(socket, boost::asio::dynamic_buffer(answer), end);
        return answer;
    }
    std::string answer_to(const DaemonMessage& message) { return answer_to(framed(serialize(message))); }

    /// A run to a closed port.
    RunOutput run() {
        SenderOptions options;
        FlowSpec flow;
        flow.id = FlowId{1};
        flow.name = "flow";
        flow.target = {.host = "127.0.0.1", .control_port = nobody_.local_endpoint().port()};
        flow.stop.packets = 1;
        options.experiment.name = "test";
        options.experiment.flows = {flow};
        const Target daemon{.host = "127.0.0.1", .control_port = daemon_->addresses().front().port()};
        return run_via(daemon, options,
                       {.clock = kernel_clock(), .stop_requests = [] { return 0U; }, .show_progress = {}, .say = {}});
    }

    /// Asks for a run to this host.
    static std::string request_to(const std::string& host) {
        FlowSpec flow;
        flow.id = FlowId{1};
        flow.name = "flow";
        flow.target = {.host = host, .control_port = 9000};
        flow.stop.packets = 1;
        const DaemonMessage hello = RunHello{.program = "groma-send 0.1.0", .host = "gamma"};
        const DaemonMessage flows = RunFlows{.flows = {flow}};
        SenderOptions options;
        options.experiment.name = "test";
        return framed(serialize(hello)) + framed(serialize(flows)) +
               framed(serialize(DaemonMessage(request_of(options))));
    }
    boost::asio::ip::tcp::socket ask(const std::string& bytes) {
        boost::asio::ip::tcp::socket socket(io_);
        socket.connect(to_endpoint(daemon_->addresses().front()));
        boost::asio::write(socket, boost::asio::buffer(bytes));
        return socket;
    }
    /// Returns when the daemon has printed `text`.
    void wait_for(const std::string& text) {
        std::unique_lock lock(mutex_);
        changed_.wait(lock, [&] { return said_.find(text) != std::string::npos; });
    }

    SilentNames names_;
    SenderDaemonOptions options_;

private:
    boost::asio::io_context io_;
    boost::asio::ip::tcp::acceptor nobody_{io_};
    std::mutex mutex_;
    std::condition_variable changed_;
    std::string said_;  ///< guarded by mutex_
    std::optional<SenderDaemon> daemon_;
    std::thread thread_;
};

TEST_F(SenderDaemonTest, TellsAClientOfAnOlderReleaseWhatToDo) {
    start();
    const std::string answer = answer_to(RunFlows{});
    EXPECT_THAT(answer, HasSubstr("'flows' has no place before 'hello'"));
    EXPECT_THAT(answer, HasSubstr("install the same release on both hosts"));
}

TEST_F(SenderDaemonTest, TellsOfItsRunsWhoScrapesIt) {
    SocketAddress place;
    options_.metrics = {SocketAddress::from_literal("127.0.0.1", 0)};
    options_.say = [&place, say = options_.say](const std::string& line) {
        place = metrics_place(line).port() > 0 ? metrics_place(line) : place;  // before the daemon's thread starts
        say(line);
    };
    start();
    (void)run();
    wait_for("the run ended");
    (void)answer_to(RunFlows{});
    EXPECT_THAT(scraped(place),
                testing::AllOf(HasSubstr("{program=\"groma-send --daemon\","), HasSubstr("groma_daemon_runs_total 1\n"),
                               HasSubstr("groma_daemon_open_runs 0\n"),
                               HasSubstr("groma_daemon_ended_runs_total{end=\"failed\"} 1\n"),
                               HasSubstr("groma_daemon_refused_runs_total{cause=\"request\"} 1\n"),
                               HasSubstr("groma_sender_packets_total 0\n")));
}

TEST_F(SenderDaemonTest, RefusesAnotherVersionAndNamesBoth) {
    start();
    const std::string answer = answer_to(RunHello{.version = 7, .program = "groma-send 9.0.0", .host = "gamma"});
    EXPECT_THAT(answer, HasSubstr("(groma-send 9.0.0) speaks version 7"));
    EXPECT_THAT(answer, HasSubstr("version 2: install the same release"));
}

TEST_F(SenderDaemonTest, LeavesClientsThatHaveNotAskedForTheirRunWhenItIsStopped) {
    start();
    const DaemonMessage hello = RunHello{.program = "groma-send 0.1.0", .host = "gamma"};
    boost::asio::ip::tcp::socket socket = ask(framed(serialize(hello)));
    std::array<char, 16> welcome{};
    boost::asio::read(socket, boost::asio::buffer(welcome));
    stop();  // returns long before the client's time is over
    EXPECT_THAT(all_from(socket), HasSubstr("version"));
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
    const std::string answer = answer_to(framed(serialize(hello)) + framed(serialize(flows)));
    EXPECT_THAT(answer, HasSubstr("welcome"));
    EXPECT_THAT(answer, HasSubstr("the run was not asked for within"));
}

TEST_F(SenderDaemonTest, HasRoomForTheNextRunWhenOneHadNoThread) {
    constexpr int kMissing = 2;
    int asked = 0;
    options_.max_runs = 1;
    options_.make_thread = [&asked](std::function<void()> body) {
        if (++asked <= kMissing) {
            throw SystemError("start one more thread", EAGAIN);
        }
        return make_thread(std::move(body));
    };
    start();
    for (int refused = 0; refused < kMissing; ++refused) {
        try {
            (void)run();
            FAIL() << "there was no thread for the run";
        } catch (const RunError& error) {
            EXPECT_THAT(error.what(), HasSubstr("cannot start one more thread: Resource temporarily unavailable"));
        }
    }
    EXPECT_THAT(run().failures, ElementsAre(HasSubstr("cannot connect to the receiver at 127.0.0.1")));
}

TEST_F(SenderDaemonTest, HasRoomForTheNextRunWhenAClientLeavesBeforeANameIsAnswered) {
    options_.max_runs = 1;
    start();
    ask(request_to("slow.example.org")).close();
    names_.wait_for(1);
    wait_for("the client is gone: the run was stopped");
    EXPECT_THAT(run().failures, ElementsAre(HasSubstr("cannot connect to the receiver at 127.0.0.1")));
}

TEST_F(SenderDaemonTest, StopsWhileANameHasNoAnswer) {
    start();
    boost::asio::ip::tcp::socket client = ask(request_to("slow.example.org"));
    names_.wait_for(1);
    stop();  // returns although there is no answer yet
    EXPECT_THAT(all_from(client), HasSubstr("stopped before there was an answer"));
}

TEST_F(SenderDaemonTest, ARunToANameWithoutAnAnswerFailsWhenItsTimeIsOver) {
    options_.times.lookup = std::chrono::milliseconds(1);
    start();
    EXPECT_THAT(answer_to(request_to("slow.example.org")),
                HasSubstr("cannot find the host slow.example.org: no answer"));
}

}  // namespace
}  // namespace groma
