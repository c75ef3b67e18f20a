// Runs with flows in reverse, between a receiver and a sender of this process, over loopback.
#include "joint/joint_run.hpp"

#include <gmock/gmock.h>

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <stdexcept>
#include <thread>

#include "common/access/access_key.hpp"
#include "common/access/key_files.hpp"
#include "common/access/random_secret.hpp"
#include "common/base/errors.hpp"
#include "common/control/endpoint.hpp"
#include "common/log/log_reader.hpp"
#include "common/os/temporary_folder.hpp"
#include "joint/reverse_runs.hpp"
#include "receiver/receiver_server.hpp"
#include "sender/daemon/sender_daemon.hpp"
#include "sender/plan/directions.hpp"
#include "tests/control_frames.hpp"
#include "tests/kernel_clock.hpp"
#include "tests/patience.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

class JointRunTest : public ::testing::Test {
protected:
    ~JointRunTest() override {
        if (thread_.joinable()) {
            server_->stop();
            thread_.join();
        }
    }

    void start(std::size_t reverse_runs = 2, const std::string& limits = {}) {
        ReceiverOptions options;
        options.reverse_runs = reverse_runs;
        if (not limits.empty()) {
            options.server.keys.folder = folder_of_key(limits);
        }
        options.server.listen = {SocketAddress::from_literal("127.0.0.1", 0)};
        options.server.log_dir = there_.path();
        options.server.spool = there_.path() / "spool";
        options.server.times.silence = options.server.times.greeting = kPatience;
        options.server.reverse = reverse_desk(options, kernel_clock());
        server_.emplace(std::move(options.server), kernel_clock());
        thread_ = std::thread([this] { server_->run(); });
    }

    /// A receiver's, with its part of the user's key.
    [[nodiscard]] std::filesystem::path folder_of_key(const std::string& limits) const {
        std::filesystem::path folder = there_.path() / "keys";
        std::filesystem::create_directory(folder);
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all);
        KnownKey known = known_by_host(key_.key, std::vector<std::string>{"127.0.0.1"});
        known.grant.limits = parse_limits(limits);
        std::ofstream(folder / "lab.key") << text_of(known);
        std::filesystem::permissions(folder / "lab.key", std::filesystem::perms::owner_read);
        return folder;
    }

    /// Ten packets.
    [[nodiscard]] SenderOptions asked(Direction direction, Transport transport = Transport::udp) const {
        SenderOptions options;
        options.experiment.name = "test";
        options.times.silence = kPatience;
        options.wait = std::chrono::minutes(1);
        FlowSpec flow;
        flow.id = FlowId{1};
        flow.name = "flow";
        flow.transport = transport;
        flow.direction = direction;
        flow.target = {.host = "127.0.0.1", .control_port = server_->port()};
        flow.stop.packets = 10;
        options.experiment.flows = {flow};
        EXPECT_TRUE(split_both(options.experiment.flows).empty());
        return options;
    }

    static RunOutput run(SenderOptions options) {
        return run_jointly(
            std::move(options),
            {.clock = kernel_clock(), .stop_requests = [] { return 0U; }, .show_progress = {}, .say = {}});
    }
    static std::string error_of(SenderOptions options) {
        try {
            return run(std::move(options)).text;
        } catch (const std::runtime_error& error) {
            return error.what();
        }
    }

    /// What the server answers to these frames, up to its end of the connection.
    [[nodiscard]] std::string answer_to(const std::string& frames) const {
        boost::asio::io_context io;
        boost::asio::ip::tcp::socket socket(io);
        socket.connect(to_endpoint(server_->addresses().front()));
        boost::asio::write(socket, boost::asio::buffer(frames));
        std::string answer;
        boost::system::error_code end;
        boost::asio::read(socket, boost::asio::dynamic_buffer(answer), end);
        return answer;
    }

    TemporaryFolder here_;
    TemporaryFolder there_;
    UserKey key_{.key = {.grant = {.name = "lab", .roles = {Role::receive, Role::send}}, .secret = random_secret()},
                 .asked_for = true};
    std::optional<ReceiverServer> server_;

private:
    std::thread thread_;
};

TEST_F(JointRunTest, ReportsFlowsOfBothDirectionsAsOneRun) {
    start();
    SenderOptions options = asked(Direction::both);
    options.log = here_.path() / "here.glog";
    options.receiver_log = "there.glog";
    const RunOutput output = run(std::move(options));
    EXPECT_TRUE(output.failures.empty()) << output.failures.front();
    const auto report = nlohmann::json::parse(output.json);
    ASSERT_EQ(report["flows"].size(), 2U);
    EXPECT_EQ(report["flows"][0]["direction"], "forward");
    EXPECT_EQ(report["flows"][1]["direction"], "reverse");
    EXPECT_EQ(report["flows"][1]["name"], "flow-reverse");
    for (const auto& flow : report["flows"]) {
        EXPECT_EQ(flow["sent_packets"], 10U);
        EXPECT_EQ(flow["received_packets"], 10U);
    }
    EXPECT_EQ(report["receivers"].size(), 2U);
    EXPECT_EQ(report["remote_logs"].size(), 1U);
    EXPECT_EQ(report["log"]["records"], 10U);
    for (const std::filesystem::path& log : {here_.path() / "here.glog", here_.path() / "here-reverse.glog",
                                             there_.path() / "there.glog", there_.path() / "there-reverse.glog"}) {
        EXPECT_TRUE(std::filesystem::exists(log)) << log;
    }
}

TEST_F(JointRunTest, GivesLogsTheirOwnNamesWhereAllFlowsComeInReverse) {
    start();
    SenderOptions options = asked(Direction::reverse, Transport::tcp);
    options.log = here_.path() / "here.glog";
    options.receiver_log = "there.glog";
    const RunOutput output = run(std::move(options));
    EXPECT_TRUE(output.failures.empty()) << output.failures.front();
    EXPECT_THAT(output.text, AllOf(HasSubstr("1 flow from 127.0.0.1:"), HasSubstr("lost 0 of 10")));
    EXPECT_TRUE(std::filesystem::exists(here_.path() / "here.glog"));
    EXPECT_TRUE(std::filesystem::exists(there_.path() / "there.glog"));
}

TEST_F(JointRunTest, SaysWhyAReceiverDoesNotSend) {
    start(0);
    EXPECT_THAT(error_of(asked(Direction::reverse)), HasSubstr("--reverse-runs"));
    EXPECT_THAT(error_of(asked(Direction::both)), HasSubstr("--reverse-runs"));
}

TEST_F(JointRunTest, AKeyOfOneSessionIsToldAtOnceThatARunInReverseTakesTwo) {
    start(2, "sessions=1");
    SenderOptions options = asked(Direction::reverse);
    options.key = key_;
    EXPECT_THAT(error_of(std::move(options)),
                AllOf(HasSubstr("a run in reverse takes two sessions: the key 'lab' allows at most 1 session at once"),
                      HasSubstr("whoever keeps the folder of keys there can change that")));
}

TEST_F(JointRunTest, AKeyOfTwoSessionsAllowsARunInReverse) {
    start(2, "sessions=2");
    SenderOptions options = asked(Direction::reverse);
    options.key = key_;
    EXPECT_THAT(error_of(std::move(options)), HasSubstr("lost 0 of 10"));
}

TEST_F(JointRunTest, SendsNothingForwardWhenTheOtherDirectionIsRefused) {
    start();
    SenderOptions options = asked(Direction::both);
    options.receiver_log = "there.glog";
    std::ofstream(there_.path() / "there-reverse.glog") << "taken";
    EXPECT_THAT(error_of(std::move(options)), HasSubstr("is there already"));
    EXPECT_FALSE(std::filesystem::exists(there_.path() / "there.glog"));
}

TEST_F(JointRunTest, TakesFlowsOfSeveralSendersAtOnce) {
    start();
    ReceiverOptions more;
    more.server.listen = {SocketAddress::from_literal("127.0.0.1", 0)};
    more.server.log_dir = there_.path();
    more.server.times.silence = more.server.times.greeting = kPatience;
    more.server.reverse = reverse_desk(more, kernel_clock());
    ReceiverServer second(std::move(more.server), kernel_clock());
    std::thread thread([&second] { second.run(); });
    SenderOptions options = asked(Direction::reverse);
    FlowSpec other = options.experiment.flows.front();
    other.id = FlowId{2};
    other.name = "other";
    other.target.control_port = second.port();
    options.experiment.flows.push_back(other);
    options.log = here_.path() / "here.glog";
    options.receiver_log = "there.glog";
    const RunOutput output = run(std::move(options));
    second.stop();
    thread.join();
    EXPECT_TRUE(output.failures.empty()) << output.failures.front();
    const auto report = nlohmann::json::parse(output.json);
    EXPECT_EQ(report["total"]["received_packets"], 20U);
    EXPECT_EQ(report["remote_logs"].size(), 2U);
}

struct MetadataOfLog : LogVisitor {
    RunMetadata metadata;
    void on_metadata(const RunMetadata& found) override { metadata = found; }
};

RunMetadata metadata_of(const std::string& log) {
    MetadataOfLog found;
    read_log(log, found);
    return found.metadata;
}

/// A daemon of this process, for flows from a host.
class Agent {
public:
    explicit Agent(const std::filesystem::path& log_dir)
        : daemon_({.listen = {SocketAddress::from_literal("127.0.0.1", 0)},
                   .limits = {.log_dir = log_dir, .spool = spool_.path() / "spool"},
                   .times = {.silence = kPatience, .greeting = kPatience}},
                  kernel_clock()),
          thread_([this] { daemon_.run(); }) {}
    Agent(const Agent&) = delete;
    Agent& operator=(const Agent&) = delete;
    ~Agent() {
        daemon_.stop();
        thread_.join();
    }

    [[nodiscard]] Target where() const {
        return {.host = "127.0.0.1", .control_port = daemon_.addresses().front().port()};
    }

    [[nodiscard]] const std::filesystem::path& spool() const { return spool_.path(); }

private:
    TemporaryFolder spool_;
    SenderDaemon daemon_;
    std::thread thread_;
};

/// One of ten packets here, one from each agent.
SenderOptions with_flows_from(SenderOptions options, const HostAliases& agents) {
    for (const auto& [alias, where] : agents) {
        FlowSpec flow = options.experiment.flows.front();
        flow.id = FlowId{static_cast<std::uint32_t>(options.experiment.flows.size() + 1)};
        flow.name = "from-" + alias;
        flow.from_host = alias;
        options.experiment.flows.push_back(flow);
    }
    options.agents = agents;
    return options;
}

TEST_F(JointRunTest, HasFlowsFromAgentsInOneRunWithOneReport) {
    start();
    const Agent alpha(there_.path());
    const Agent beta(there_.path());
    SenderOptions options =
        with_flows_from(asked(Direction::forward), {{"alpha", alpha.where()}, {"beta", beta.where()}});
    options.log = here_.path() / "send.glog";
    options.receiver_log = "recv.glog";
    const RunOutput output = run(std::move(options));
    EXPECT_TRUE(output.failures.empty()) << output.failures.front();
    const auto report = nlohmann::json::parse(output.json);
    ASSERT_EQ(report["flows"].size(), 3U);
    EXPECT_EQ(report["flows"][1]["name"], "from-alpha");
    EXPECT_EQ(report["total"]["received_packets"], 30U);
    EXPECT_EQ(report["remote_logs"].size(), 2U);
    std::set<std::string> ids;
    for (const auto& log :
         {here_.path() / "send.glog", there_.path() / "send-alpha.glog", there_.path() / "send-beta.glog",
          there_.path() / "recv.glog", there_.path() / "recv-from-alpha.glog"}) {
        ids.insert(metadata_of(log.string()).run_id);
    }
    EXPECT_EQ(ids, std::set<std::string>{report["run"]["run_id"]});
}

std::set<std::string> names_in(const std::filesystem::path& folder) {
    std::set<std::string> names;
    for (const auto& file : std::filesystem::recursive_directory_iterator(folder)) {
        if (file.is_regular_file()) {
            names.insert(file.path().filename());
        }
    }
    return names;
}

TEST_F(JointRunTest, BringsTheLogsOfAllHostsHere) {
    start();
    const Agent alpha("");
    const Agent beta("");
    SenderOptions options = with_flows_from(asked(Direction::both), {{"alpha", alpha.where()}, {"beta", beta.where()}});
    options.logs = here_.path() / "run";
    options.log = here_.path() / "run" / kSenderLogOfFolder;
    const RunOutput output = run(options);
    EXPECT_TRUE(output.failures.empty()) << output.failures.front();
    const std::set<std::string> names{"send.glog",         "recv.glog",          "send-reverse.glog",
                                      "recv-reverse.glog", "send-alpha.glog",    "recv-from-alpha.glog",
                                      "send-beta.glog",    "recv-from-beta.glog"};
    EXPECT_EQ(names_in(options.logs), names);
    EXPECT_EQ(names_in(there_.path()).size(), 2U) << "receivers of agents keep their copies";
    EXPECT_EQ(names_in(alpha.spool()), std::set<std::string>{});
    std::set<std::string> ids;
    for (const std::string& name : names) {
        ids.insert(metadata_of(options.logs + '/' + name).run_id);
    }
    EXPECT_EQ(ids, std::set<std::string>{nlohmann::json::parse(output.json)["run"]["run_id"]});
    EXPECT_THAT(error_of(options), HasSubstr("has a log of another run"));
}

TEST_F(JointRunTest, DoesNotBeginWhereAnAgentIsNotThere) {
    start();
    const Agent alpha(there_.path());
    std::optional<Agent> gone(there_.path());
    const Target nobody = gone->where();
    gone.reset();
    SenderOptions options = with_flows_from(asked(Direction::forward), {{"alpha", alpha.where()}, {"gone", nobody}});
    EXPECT_THAT(error_of(std::move(options)), AllOf(HasSubstr("gone: cannot connect to the agent at 127.0.0.1:"),
                                                    Not(HasSubstr("alpha")), Not(HasSubstr("called off"))));
}

TEST_F(JointRunTest, NamesTheHostWhoseAgentCannotBegin) {
    start();
    const Agent alpha(there_.path());
    const Agent beta(there_.path());
    SenderOptions options =
        with_flows_from(asked(Direction::forward), {{"alpha", alpha.where()}, {"beta", beta.where()}});
    options.experiment.flows.back().target.control_port = alpha.where().control_port;  // which is no receiver
    EXPECT_THAT(error_of(std::move(options)), AllOf(testing::StartsWith("beta: "), Not(HasSubstr("alpha:"))));
}

TEST_F(JointRunTest, TakesFlowsFromAgentsOnly) {
    start();
    const Agent alpha(there_.path());
    SenderOptions options = with_flows_from(asked(Direction::forward), {{"alpha", alpha.where()}});
    options.experiment.flows.erase(options.experiment.flows.begin());
    const RunOutput output = run(std::move(options));
    EXPECT_TRUE(output.failures.empty()) << output.failures.front();
    EXPECT_EQ(nlohmann::json::parse(output.json)["total"]["received_packets"], 10U);
}

TEST_F(JointRunTest, SaysThatItsOwnLogIsInTheWay) {
    start();
    SenderOptions options = asked(Direction::reverse);
    options.log = here_.path() / "here.glog";
    std::ofstream(options.log) << "taken";
    EXPECT_THAT(error_of(std::move(options)), HasSubstr("--force to replace it"));
}

TEST(ReportOfOtherHosts, IsObeyedByNoTerminal) {
    SendReport report;
    report.flows.emplace_back().spec.name = "flow";
    report.receivers.push_back({.address = "\x1b[2J", .log_file = "far.glog"});
    report.pacing = {.threads = 1, .warnings = {"\x1b]0;title"}};
    const std::string text = output_of(report, true).text;
    EXPECT_THAT(text, AllOf(HasSubstr("\\x1b[2J"), HasSubstr("\\x1b]0;title")));
    EXPECT_EQ(text.find('\x1b'), std::string::npos);
}

TEST_F(JointRunTest, GivesNoRunToWhoCallsInUnasked) {
    start();
    const Message call = CallIn{.program = "groma-recv 0.1.0", .name = "0123456789abcdef0123456789abcdef"};
    EXPECT_THAT(answer_to(framed(serialize(call))), HasSubstr("no run of this receiver awaits such a call"));
}

}  // namespace
}  // namespace groma
