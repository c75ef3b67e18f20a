// A run whose receiver's name has no answer, and a client over loopback that sends what the test writes beforehand.
#include "sender/daemon/daemon_run.hpp"

#include <gmock/gmock.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/asio/write.hpp>
#include <cerrno>
#include <future>

#include "common/base/errors.hpp"
#include "tests/control_frames.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"
#include "tests/sample_flow.hpp"
#include "tests/silent_names.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class DaemonRunTest : public ::testing::Test {
protected:
    DaemonRunTest() {
        FlowSpec flow = flow_numbered(1);
        flow.target.host = "slow.example.org";
        options_.experiment.flows = {flow};
        options_.times.silence = options_.times.lookup = kPatience;
        options_.times.farewell = std::chrono::milliseconds(1);  // this client stays where it is
        client_.connect(acceptor_.local_endpoint());
        connection_.emplace(acceptor_.accept(), options_.times, kernel_clock());
    }

    void say(const DaemonMessage& message) {
        boost::asio::write(client_, boost::asio::buffer(framed(serialize(message))));
    }

    /// Returns when the run is over.
    void serve(DaemonRun& run) {
        const RunAccepted accepted{.program = "groma-send 0.1.0", .host = "gamma"};
        std::future<void> over = boost::asio::co_spawn(io_, run.serve(*connection_, accepted), boost::asio::use_future);
        io_.run();
        connection_->close();
        over.get();
    }

    std::string all_that_was_said() {
        std::string text;
        boost::system::error_code end;
        boost::asio::read(client_, boost::asio::dynamic_buffer(text), end);
        return text;
    }

    SilentNames names_;
    Resolver resolver_{{.time = kPatience, .look_up = names_.look_up()}, kernel_clock()};
    boost::asio::io_context io_{1};
    DaemonRunPlace place_{.io = io_, .make_thread = make_thread, .resolver = resolver_, .clock = kernel_clock()};
    SenderOptions options_;

private:
    boost::asio::ip::tcp::acceptor acceptor_{io_, {boost::asio::ip::address_v4::loopback(), 0}};
    boost::asio::ip::tcp::socket client_{io_};
    std::optional<ControlConnection> connection_;
};

TEST_F(DaemonRunTest, EndsWhenItsClientAsksForItAndTellsTheClientWhy) {
    say(StopRun{});
    DaemonRun run(place_, options_);
    serve(run);
    EXPECT_THAT(all_that_was_said(), AllOf(HasSubstr("accepted"), HasSubstr("stopped before there was an answer")));
    EXPECT_THAT(run.end_in_words(), StartsWith("the run ended: cannot find the host slow.example.org"));
}

TEST_F(DaemonRunTest, IsStoppedWhenItsClientSaysWhatHasNoPlaceInARun) {
    say(RunHello{.program = "groma-send 0.1.0", .host = "beta"});
    DaemonRun run(place_, options_);
    serve(run);
    EXPECT_THAT(all_that_was_said(), AllOf(HasSubstr("the daemon has stopped the run: "),
                                           HasSubstr("sent 'hello' during a run"), HasSubstr("ended")));
    EXPECT_THAT(run.end_in_words(), StartsWith("the run was stopped: "));
}

TEST_F(DaemonRunTest, IsNotAcceptedWithoutAThread) {
    place_.make_thread = [](const std::function<void()>& /*body*/) -> std::thread {
        throw SystemError("start one more thread", EAGAIN);
    };
    DaemonRun run(place_, options_);
    EXPECT_THROW(serve(run), SystemError);
    EXPECT_EQ(all_that_was_said(), "");
}

}  // namespace
}  // namespace groma
