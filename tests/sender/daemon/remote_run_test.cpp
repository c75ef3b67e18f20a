#include "sender/daemon/remote_run.hpp"

#include <gmock/gmock.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <thread>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/control/connection.hpp"
#include "sender/daemon/daemon_messages.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using ::testing::HasSubstr;

/// A daemon that reads the greeting and sends the test's messages, in its own thread.
class PlayedDaemon {
public:
    /// `hears_on`: also reads the client's later messages; otherwise it closes the connection.
    explicit PlayedDaemon(std::vector<DaemonMessage> lines, bool hears_on = true)
        : lines_(std::move(lines)), hears_on_(hears_on) {
        asio::co_spawn(io_, play(), asio::detached);
        thread_ = std::thread([this] { io_.run(); });
    }
    PlayedDaemon(const PlayedDaemon&) = delete;
    PlayedDaemon& operator=(const PlayedDaemon&) = delete;
    ~PlayedDaemon() { thread_.join(); }

    [[nodiscard]] RunOutput run(const SenderOptions& options = {}, const JointRun* reverse = nullptr) const {
        const Target daemon{.host = "127.0.0.1", .control_port = port_};
        return run_via(daemon, options,
                       {.clock = kernel_clock(),
                        .stop_requests = [] { return 0U; },
                        .show_progress = {},
                        .say = {},
                        .joint = reverse});
    }
    [[nodiscard]] std::string address() const { return "127.0.0.1:" + std::to_string(port_); }

private:
    asio::awaitable<void> play() {
        ControlConnection connection(co_await acceptor_.async_accept(asio::use_awaitable),
                                     SessionTimes{.silence = kPatience}, kernel_clock());
        (void)co_await connection.read_text();
        try {
            for (const DaemonMessage& line : lines_) {
                std::string text = serialize(line);
                co_await connection.write_text(std::move(text), type_name(line));
            }
            while (hears_on_) {
                (void)co_await connection.read_text();
            }
        } catch (const ProtocolError&) {
            // The client has closed the connection.
        }
    }

    std::vector<DaemonMessage> lines_;
    bool hears_on_;
    asio::io_context io_{1};
    tcp::acceptor acceptor_{io_, {asio::ip::address_v4::loopback(), 0}};
    std::uint16_t port_ = acceptor_.local_endpoint().port();
    std::thread thread_;
};

TEST(RemoteRun, HasAReportInWhichNothingIsObeyed) {
    const PlayedDaemon daemon({RunWelcome{}, RunAccepted{.program = "groma-send", .host = "alpha"},
                               RunReport{.json = false, .piece = "\x1b[2J\u202e flow\n"},
                               RunReport{.json = false, .piece = "end\n"}, RunEnded{}});
    EXPECT_EQ(daemon.run().text, "\\x1b[2J\\xe2\\x80\\xae flow\nend\n");
}

TEST(RemoteRun, BelievesNoEndOfARunThatNoDaemonAccepted) {
    for (const DaemonMessage& early : {DaemonMessage(RunEnded{}), DaemonMessage(RunReport{.json = false, .piece = "r"}),
                                       DaemonMessage(RunWelcome{})}) {
        const PlayedDaemon daemon({RunWelcome{}, early, RunAccepted{}, RunEnded{}});
        try {
            (void)daemon.run();
            FAIL() << type_name(early) << " was taken";
        } catch (const ProtocolError& error) {
            EXPECT_THAT(error.what(), HasSubstr("' before it accepted the run"));
        }
    }
}

TEST(RemoteRun, InReverseCallsInWhenItIsAcceptedAndHearsWhenItCouldStart) {
    const RunReady ready{.margin = std::chrono::milliseconds(200)};
    const PlayedDaemon daemon({RunWelcome{}, RunAccepted{.program = "groma-recv", .host = "beta", .call = "c0ffee"},
                               ready, RunReport{.json = true, .piece = "{}"}, RunEnded{}});
    std::string heard;
    const JointRun reverse{
        .run_id = std::string(32, 'a'),
        .call = [&](const SocketAddress& sender, const std::string& name) { heard += sender.to_string() + ' ' + name; },
        .ready = [&](Nanos margin) { heard += ' ' + std::to_string(margin.count()); },
        .start_at = [] { return std::nullopt; }};
    EXPECT_EQ(daemon.run({}, &reverse).json, "{}");
    EXPECT_EQ(heard, daemon.address() + " c0ffee 200000000");
}

TEST(RemoteRun, HearsOnceThatItCouldStartAndOnlyInReverse) {
    const JointRun reverse{.run_id = std::string(32, 'a'),
                           .call = [](const SocketAddress& /*sender*/, const std::string& /*name*/) {},
                           .ready = [](Nanos /*margin*/) {},
                           .start_at = [] { return std::nullopt; }};
    for (const JointRun* run : {&reverse, static_cast<const JointRun*>(nullptr)}) {
        const PlayedDaemon daemon({RunWelcome{}, RunAccepted{}, RunReady{}, RunReady{}, RunEnded{}});
        EXPECT_THROW((void)daemon.run({}, run), ProtocolError);
    }
}

TEST(RemoteRun, BelievesOneAcceptanceOnly) {
    const PlayedDaemon daemon({RunWelcome{}, RunAccepted{}, RunAccepted{}, RunEnded{}});
    try {
        (void)daemon.run();
        FAIL() << "the run was accepted twice";
    } catch (const ProtocolError& error) {
        EXPECT_THAT(error.what(), HasSubstr("sent 'accepted' during a run"));
    }
}

TEST(RemoteRun, TakesNoWelcomeOfAnotherVersion) {
    const PlayedDaemon daemon({RunWelcome{.version = kDaemonVersion + 1}, RunAccepted{}, RunEnded{}});
    try {
        (void)daemon.run();
        FAIL() << "the daemon speaks another version";
    } catch (const ProtocolError& error) {
        EXPECT_THAT(error.what(), HasSubstr("answered 'welcome' to 'hello' in version 3"));
    }
}

TEST(RemoteRun, GivesTheReasonOfARefusalLineByLine) {
    const PlayedDaemon daemon({RunRefused{.reason = "one\x07\ntwo"}});
    try {
        (void)daemon.run();
        FAIL() << "the run was refused";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr(" refuses the run:\none\\x07\ntwo"));
    }
}

TEST(RemoteRun, HearsWhyItIsRefusedWhileItStillTalks) {
    // More than the kernel keeps for a peer that does not read.
    SenderOptions options;
    FlowSpec flow;
    flow.name = std::string(1000, 'n');
    options.experiment.flows.assign(10'000, flow);
    const PlayedDaemon daemon({RunWelcome{}, RunRefused{.reason = "too many flows"}}, false);
    try {
        (void)daemon.run(options);
        FAIL() << "the run was refused";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("too many flows"));
    }
}

TEST(RemoteRun, RefusesAReportThatIsNoJson) {
    const PlayedDaemon daemon({RunWelcome{}, RunAccepted{.program = "groma-send", .host = "alpha"},
                               RunReport{.json = true, .piece = "\x1b]0;title\x07"}, RunEnded{}});
    try {
        (void)daemon.run();
        FAIL() << "the report was taken";
    } catch (const RunError& error) {
        EXPECT_THAT(error.what(), HasSubstr("sent a report that is not valid JSON"));
    }
}

}  // namespace
}  // namespace groma
