#include "sender/daemon/run_request.hpp"

#include <gmock/gmock.h>

#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

FlowSpec flow(std::uint32_t id) {
    FlowSpec spec;
    spec.id = FlowId{id};
    spec.name = "flow-" + std::to_string(id);
    spec.target.host = "127.0.0.1";
    spec.stop.packets = 10;
    return spec;
}

class RunRequests : public ::testing::Test {
protected:
    [[nodiscard]] DaemonLimits limits() const { return {.log_dir = folder_.path(), .spool = "/spool", .max_flows = 3}; }

    static RunRequest request() {
        RunRequest one;
        one.experiment = "first";
        one.log_block = 100;
        return one;
    }

    [[nodiscard]] std::string refusal(const RunRequest& asked, const std::vector<FlowSpec>& flows = {flow(1)}) const {
        try {
            (void)options_of(asked, flows, limits());
        } catch (const UsageError& error) {
            return error.what();
        }
        return "accepted";
    }

    TemporaryFolder folder_;
};

TEST_F(RunRequests, InReverseComeFromAReceiverAndGoToWhoAsks) {
    DaemonLimits receiver = limits();
    receiver.reverse = true;
    const auto answer = [](RunRequest asked, FlowSpec spec, const DaemonLimits& by) -> std::string {
        try {
            const SenderOptions made = options_of(asked, {spec}, by);
            return made.experiment.flows.front().target.host;
        } catch (const UsageError& error) {
            return error.what();
        }
    };
    RunRequest asked = request();
    asked.run_id = "0123456789abcdef0123456789abcdef";
    FlowSpec back = flow(1);
    back.direction = Direction::reverse;
    EXPECT_EQ(answer(asked, back, receiver), "*");
    EXPECT_THAT(answer(asked, flow(1), receiver), HasSubstr("sends only to who asks for it"));
    EXPECT_THAT(answer(asked, back, limits()), HasSubstr("that is what groma-recv does"));
    EXPECT_THAT(answer(request(), back, limits()), HasSubstr("that is what groma-recv does"));
    EXPECT_THAT(answer(request(), back, receiver), HasSubstr("the run's id must be"));
    asked.run_id = "../../../../../../../../../etc/x";
    EXPECT_THAT(answer(asked, back, receiver), HasSubstr("the run's id must be"));
    EXPECT_THAT(answer(asked, flow(1), limits()), HasSubstr("the run's id must be"));
    asked.run_id = "0123456789abcdef0123456789abcdef";
    FlowSpec multicast = back;
    multicast.options.group = "224.0.0.251";
    EXPECT_THAT(answer(asked, multicast, receiver), HasSubstr("sends only to who asks for it"));
    receiver.data_ports = PortRange{5000, 5009};
    EXPECT_EQ(answer(asked, back, receiver), "*");
    FlowSpec at_53 = back;
    at_53.target.data_port = 53;
    EXPECT_THAT(answer(asked, at_53, receiver), HasSubstr("gives away the ports 5000-5009 only"));
    back.options.source = "10.0.0.9";
    EXPECT_THAT(answer(asked, back, receiver), HasSubstr("leave out the source"));
}

TEST_F(RunRequests, SayWhatTheUserAskedFor) {
    const std::vector<std::string> arguments{"--to",        "127.0.0.1", "--packets", "5",    "--seed",    "7",
                                             "--log",       "a.glog",    "--threads", "2",    "--wait",    "1s",
                                             "--log-block", "9",         "--name",    "mine", "--require", "loss=0"};
    const SenderOptions asked = SenderOptions::parse(arguments, 1);
    const SenderOptions made = options_of(request_of(asked), asked.experiment.flows, limits());
    EXPECT_EQ(made.experiment.flows, asked.experiment.flows);
    EXPECT_EQ(to_string(made.experiment.required), "loss=0");
    EXPECT_EQ(made.experiment.name, "mine");
    EXPECT_EQ(made.experiment.seed, 7U);
    EXPECT_EQ(made.threads, 2U);
    EXPECT_EQ(made.wait, std::chrono::seconds(1));
    EXPECT_EQ(made.block_records, 9U);
    EXPECT_EQ(made.log, (folder_.path() / "a.glog").string());
    EXPECT_EQ(made.spool_dir, "/spool");
}

TEST_F(RunRequests, HandOverAKeyForEachHostAndNotTheUsersOwn) {
    SenderOptions asked;
    const auto to = [&asked](const std::string& host, const std::string& also) {
        FlowSpec spec;
        spec.target.host = host;
        if (not also.empty()) {
            spec.also_to.push_back({also, 9000, {}});
        }
        asked.experiment.flows.push_back(spec);
    };
    to("beta", "");
    to("beta", "gamma");
    to("127.0.0.1", "");
    EXPECT_EQ(keys_of(asked, false), std::vector<OfferedKey>());
    AccessKey key;
    key.grant.name = "lab";
    asked.key = UserKey{.key = key};
    EXPECT_EQ(keys_of(asked, false), (std::vector{key.offered_to("beta"), key.offered_to("gamma")}));
    asked.key->asked_for = true;
    EXPECT_EQ(keys_of(asked, false),
              (std::vector{key.offered_to("127.0.0.1"), key.offered_to("beta"), key.offered_to("gamma")}));
    RunRequest request;
    asked.log_server = LogServerAddress{"logs"};
    EXPECT_EQ(keys_of(asked, true), std::vector{key.offered_to("logs")});
    request.keys = keys_of(asked, false);
    EXPECT_EQ(request.keys.size(), 4U);
    request.experiment = "mine";
    EXPECT_EQ(options_of(request, {flow(1)}, limits()).handed_keys, request.keys);
}

TEST_F(RunRequests, NameNoFileButLogsBelowTheFolder) {
    for (const char* name : {"../x", "/etc/passwd", "a/b", ".hidden", "..", "a\x01"}) {
        RunRequest one = request();
        one.log = name;
        EXPECT_THAT(refusal(one), HasSubstr("give a name")) << name;
    }
    for (const char* payload : {"file:/etc/shadow", "pcap:/x.pcap"}) {
        FlowSpec reading = flow(1);
        reading.payload = payload;
        EXPECT_THAT(refusal(request(), {reading}), HasSubstr("requests do not read")) << payload;
    }
}

TEST_F(RunRequests, DoNotTakeThePlaceOfTheSpool) {
    RunRequest one = request();
    one.log = "spool";
    try {
        (void)options_of(one, {flow(1)},
                         {.log_dir = folder_.path(), .spool = folder_.path() / "spool", .max_flows = 3});
        FAIL() << "taken";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("where the daemon's spool belongs"));
    }
}

TEST_F(RunRequests, DoNotWriteOverALogThatIsThere) {
    std::ofstream(folder_.path() / "old.glog") << "x";
    RunRequest one = request();
    one.log = "old.glog";
    EXPECT_THAT(refusal(one), HasSubstr("is there already"));
}

TEST_F(RunRequests, HaveOnlyTheLogsOfAPartOfARunComeToTheClient) {
    RunRequest asked = request();
    asked.log.clear();
    asked.run_id = "0123456789abcdef0123456789abcdef";
    asked.fetch_log = "send-alpha.glog";
    asked.fetch_receiver_logs = "recv-from-alpha.glog";
    const LogsForClient names{.own = "send-alpha.glog", .receivers = "recv-from-alpha.glog"};
    EXPECT_EQ(options_of(asked, {flow(1)}, limits()).logs_for_client, names);
    RunRequest path = asked;
    path.fetch_log = "../send.glog";
    EXPECT_THAT(refusal(path), HasSubstr("at the client begins with '.'"));
    RunRequest whole = asked;
    whole.run_id.clear();
    EXPECT_THAT(refusal(whole), HasSubstr("only the logs of a part of a run go to the client"));
    asked.fetch_log.clear();
    EXPECT_THAT(refusal(asked), HasSubstr("those of receivers after the sender's"));
}

TEST_F(RunRequests, AskForNoLogWhereNoneAreKept) {
    RunRequest one = request();
    one.log = "a.glog";
    EXPECT_THROW((void)options_of(one, {flow(1)}, DaemonLimits{}), UsageError);
}

TEST_F(RunRequests, ShipOnlyToTheLogServersThatTheDaemonNames) {
    RunRequest one = request();
    one.log_server = "logs:9001";
    DaemonLimits named = limits();
    named.log_servers = parse_log_servers("logs");
    EXPECT_EQ(options_of(one, {flow(1)}, named).log_server, parse_log_server("logs"));
    one.log_server = "10.0.0.9:22";
    try {
        (void)options_of(one, {flow(1)}, named);
        FAIL() << "accepted";
    } catch (const UsageError& error) {
        EXPECT_THAT(error.what(), HasSubstr("this host ships no logs to 10.0.0.9:22, only to the log servers"));
    }
}

TEST_F(RunRequests, AreRefusedWithAllErrorsTogether) {
    RunRequest one = request();
    one.threads = 257;
    one.log_block = 0;
    one.log_transport = "mpi";
    one.log_server = ":";
    FlowSpec endless = flow(2);
    endless.stop = {};
    EXPECT_THAT(refusal(one, {flow(1), flow(1), endless}),
                AllOf(HasSubstr("threads"), HasSubstr("log block"), HasSubstr("unknown log transport"),
                      HasSubstr("log server"), HasSubstr("its number 1"), HasSubstr("flow 'flow-2': ")));
}

TEST_F(RunRequests, HaveFlowsAndNotTooMany) {
    EXPECT_THAT(refusal(request(), {}), HasSubstr("takes 1 to 3 flows"));
    EXPECT_THAT(refusal(request(), {flow(1), flow(2), flow(3), flow(4)}), HasSubstr("takes 1 to 3 flows"));
    EXPECT_EQ(refusal(request(), {flow(1), flow(2), flow(3)}), "accepted");
}

}  // namespace
}  // namespace groma
