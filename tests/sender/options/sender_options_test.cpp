#include "sender/options/sender_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/profiles.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/sender/options/parsed_options.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

/// An experiment file that lives as long as the object.
class ExperimentFile {
public:
    explicit ExperimentFile(const std::string& text) { std::ofstream(path()) << text; }
    [[nodiscard]] std::string path() const { return folder_.file("experiment.toml"); }

private:
    TemporaryFolder folder_;
};

constexpr const char* kTwoFlows = R"(
name = "pair"
[[flow]]
name = "one"
to = "10.0.0.2"
duration = "3s"
[[flow]]
name = "two"
to = "10.0.0.3:9555"
packets = 7
)";

TEST(SenderOptions, ATargetAloneIsAFlowThatStopsAfterTenSecondsAndSaysSo) {
    const SenderOptions options = options_from({"--to", "10.0.0.2"});
    ASSERT_THAT(options.experiment.flows, SizeIs(1));
    const FlowSpec& flow = options.experiment.flows[0];
    EXPECT_EQ(flow.id, FlowId{1});
    EXPECT_EQ(flow.target.host, "10.0.0.2");
    EXPECT_EQ(flow.target.control_port, 9000);
    EXPECT_EQ(flow.transport, Transport::udp);
    EXPECT_EQ(flow.stop.duration, std::chrono::seconds(10));
    ASSERT_THAT(options.warnings, SizeIs(1));
    EXPECT_THAT(options.warnings[0], HasSubstr("stopping after 10 s"));
    EXPECT_EQ(options.action, SenderOptions::Action::run);
}

TEST(SenderOptions, AStopRuleThatWasGivenReplacesTheDefault) {
    const SenderOptions options = options_from({"--to", "10.0.0.2", "--packets", "5", "--bytes", "10kB"});
    const StopRule expected{std::nullopt, 5, Bytes{10'000}};
    EXPECT_EQ(options.experiment.flows[0].stop, expected);
    EXPECT_THAT(options.warnings, IsEmpty());
}

TEST(SenderOptions, EveryPartOfAFlowCanBeSaid) {
    const FlowSpec flow =
        options_from({"--to",       "[fd99::2]:9555", "--transport", "tcp",    "--idt",    "exp:2000pps",
                      "--size",     "unif:64:1400",   "--on",        "exp:1s", "--off",    "exp:2s",
                      "--duration", "2min",           "--port",      "7777",   "--header", "sequence",
                      "--start",    "500ms",          "--seed",      "7"})
            .experiment.flows[0];
    EXPECT_EQ(flow.target, (Target{"fd99::2", 9555, 7777}));
    EXPECT_EQ(flow.transport, Transport::tcp);
    EXPECT_EQ(flow.idt, Distribution(Exponential{500'000}));
    EXPECT_EQ(flow.size, Distribution(Uniform{64, 1400}));
    EXPECT_EQ(flow.on_off, (OnOff{Exponential{1e9}, Exponential{2e9}}));
    EXPECT_EQ(flow.stop.duration, std::chrono::minutes(2));
    EXPECT_EQ(flow.header, HeaderLevel::sequence);
    EXPECT_EQ(flow.start_delay, std::chrono::milliseconds(500));
    EXPECT_EQ(flow.seed, 7U);
}

TEST(SenderOptions, EqualFlowsHaveIdsNamesAndPortsOfTheirOwn) {
    const std::vector<FlowSpec> flows =
        options_from({"--to", "b", "--flows", "3", "--port", "7000", "--packets", "1"}).experiment.flows;
    ASSERT_THAT(flows, SizeIs(3));
    EXPECT_EQ(flows[0].name, "flow-1");
    EXPECT_EQ(flows[2].name, "flow-3");
    EXPECT_EQ(flows[2].id, FlowId{3});
    EXPECT_EQ(flows[2].target.data_port, 7002);
    EXPECT_EQ(options_from({"--to", "b", "--parallel", "3", "--port", "7000", "--packets", "1"}).experiment.flows,
              flows);
}

TEST(SenderOptions, OptionsGoOverAProfile) {
    const std::string name(profiles().front().name);
    const FlowSpec flow = options_from({"--to", "b", "--profile", name, "--size", "const:99"}).experiment.flows[0];
    EXPECT_EQ(flow.profile, name);
    EXPECT_EQ(flow.idt, profiles().front().idt);
    EXPECT_EQ(flow.size, Distribution(Constant{99}));
}

TEST(SenderOptions, WithoutASeedAFreshOneIsTaken) {
    EXPECT_EQ(options_from({"--to", "b"}).experiment.seed, kFreshSeed);
    EXPECT_EQ(options_from({"--to", "b"}).experiment.flows[0].seed, kFreshSeed);
    EXPECT_EQ(options_from({"--to", "b"}).experiment.seed_given, std::nullopt);
    EXPECT_EQ(options_from({"--to", "b", "--seed", "0"}).experiment.seed, 0U);
}

TEST(SenderOptions, TheReceiversShipTheirLogsWhereTheSenderDoesUnlessTold) {
    const LogServerAddress gamma{"gamma", 9001};
    EXPECT_EQ(options_from({"--to", "b", "--log-server", "gamma"}).receiver_log_server, gamma);
    EXPECT_EQ(options_from({"--to", "b", "--log-server", "gamma"}).log_server, gamma);
    EXPECT_EQ(options_from({"--to", "b", "--log-server", "gamma", "--receiver-log-server", "none"}).receiver_log_server,
              std::nullopt);
    const SenderOptions apart = options_from({"--to", "b", "--receiver-log-server", "delta:9100"});
    EXPECT_EQ(apart.log_server, std::nullopt);
    EXPECT_EQ(apart.receiver_log_server, (LogServerAddress{"delta", 9100}));
}

TEST(SenderOptions, ALogOfAnEarlierRunIsReplacedOnlyByForce) {
    EXPECT_TRUE(options_from({"--to", "b", "--logs", "run", "--force"}).replace_log);
    EXPECT_FALSE(options_from({"--to", "b", "--log", "send.glog"}).replace_log);
    EXPECT_TRUE(options_from({"--to", "b", "--log", "send.glog", "--force"}).replace_log);
    EXPECT_THAT(usage_complaint({"--to", "b", "--force"}), HasSubstr("--force requires --log FILE"));
    EXPECT_THAT(usage_complaint({"--to", "b", "--log", "send.glog", "--force", "--via", "c"}),
                HasSubstr("a daemon replaces no log"));
}

TEST(SenderOptions, KeepTheLogsOfBothSidesInAFolder) {
    const SenderOptions options = options_from({"--to", "b", "--logs", "run"});
    EXPECT_EQ(options.logs, "run");
    EXPECT_EQ(options.log, "run/send.glog");
    EXPECT_EQ(options.receiver_log, "");
    EXPECT_EQ(options_from({"--to", "b", "--receiver-log", "r.glog", "--logs", "run"}).receiver_log, "r.glog");
    EXPECT_THAT(usage_complaint({"--to", "b", "--logs", "run", "--log", "s.glog"}),
                HasSubstr("--log and --logs exclude each other"));
    EXPECT_THAT(usage_complaint({"--to", "b", "--logs", "run", "--via", "c"}), HasSubstr("--logs"));
    EXPECT_EQ(options_from({"--to", "b", "--fetch-logs", "run", "--bidir"}).logs, "run");
    EXPECT_THAT(usage_complaint({"--to", "b", "--logs", "run", "--bidir", "--force"}),
                HasSubstr("give --logs a new folder"));
}

TEST(SenderOptions, LogsTravelOverTcpOrUdp) {
    EXPECT_EQ(options_from({"--to", "b"}).log_transport, std::nullopt);
    const SenderOptions both = options_from({"--to", "b", "--log-transport", "udp", "--log-rate", "8Mbps"});
    EXPECT_EQ(both.log_transport, LogTransport::udp);
    EXPECT_EQ(both.receiver_log_transport, LogTransport::udp);
    EXPECT_EQ(both.log_rate, 1'000'000U);
    EXPECT_EQ(
        options_from({"--to", "b", "--log-transport", "udp", "--receiver-log-transport", "tcp"}).receiver_log_transport,
        LogTransport::tcp);
    for (const char* bad : {"mpi", "sctp", ""}) {
        EXPECT_THROW((void)options_from({"--to", "b", "--log-transport", bad}), UsageError) << bad;
    }
    for (const char* bad : {"10kpps", "1kbps", "fast"}) {
        EXPECT_THROW((void)options_from({"--to", "b", "--log-rate", bad}), UsageError) << bad;
    }
}

TEST(SenderOptions, TheSpoolHasAPlaceAndALimit) {
    const SenderOptions options = options_from({"--to", "b", "--spool-dir", "kept", "--spool-limit", "1MiB"});
    EXPECT_EQ(options.spool_dir, "kept");
    EXPECT_EQ(options.shipping.spool_bytes, 1U << 20U);
    EXPECT_THROW((void)options_from({"--to", "b", "--spool-limit", "1000"}), UsageError);
}

TEST(SenderOptions, ASpoolIsDeliveredWithoutSendingAnything) {
    const SenderOptions options = options_from({"--resume-spool", "--log-server", "gamma", "--spool-dir", "kept"});
    EXPECT_EQ(options.action, SenderOptions::Action::resume_spool);
    EXPECT_EQ(options.log_server, (LogServerAddress{"gamma", 9001}));
    EXPECT_THROW((void)options_from({"--resume-spool", "--spool-limit", "x"}), UsageError);
}

TEST(SenderOptions, JsonGoesToStandardOutputUnlessAFileIsNamed) {
    EXPECT_FALSE(options_from({"--to", "b"}).json);
    EXPECT_TRUE(options_from({"--to", "b", "--json"}).json);
    EXPECT_EQ(options_from({"--to", "b", "--json"}).json_file, "");
    EXPECT_EQ(options_from({"--to", "b", "--json=r.json"}).json_file, "r.json");
}

TEST(SenderOptions, RowsOfARunComeAtAnIntervalAsTextOrJsonLinesOrBoth) {
    const std::vector<std::string> run{"--to", "b", "--interval", "100ms"};
    const auto with = [&run](std::vector<std::string> more) {
        more.insert(more.begin(), run.begin(), run.end());
        return more;
    };
    EXPECT_EQ(options_from(run).interval, std::chrono::milliseconds(100));
    EXPECT_TRUE(prints_text(options_from(run)));
    EXPECT_EQ(options_from(with({"--jsonl"})).jsonl, "-");
    EXPECT_FALSE(prints_text(options_from(with({"--jsonl"}))));
    EXPECT_TRUE(prints_text(options_from(with({"--jsonl=r.jsonl", "--json=r.json"}))));
    EXPECT_EQ(usage_complaint(with({"--jsonl=r.jsonl", "--quiet"})), "");
    EXPECT_EQ(usage_complaint(with({"--jsonl=r.jsonl", "--json"})), "");
    EXPECT_EQ(usage_complaint(with({"--jsonl", "--json=r.json"})), "");
    EXPECT_EQ(usage_complaint(with({"--bidir"})), "");
}

TEST(SenderOptions, RowsAreRefusedWhereThereAreNoneAndWhereTheyCannotGo) {
    const auto complaint_with = [](std::vector<std::string> more) {
        more.insert(more.begin(), {"--to", "b", "--interval", "1s"});
        return usage_complaint(more);
    };
    EXPECT_THAT(usage_complaint({"--to", "b", "--interval", "99ms"}), HasSubstr("--interval: '99ms' is out of range"));
    EXPECT_THAT(usage_complaint({"--to", "b", "--jsonl"}), HasSubstr("--jsonl requires --interval"));
    EXPECT_THAT(complaint_with({"--dry-run"}), HasSubstr("--dry-run sends nothing"));
    EXPECT_THAT(complaint_with({"--reverse"}), HasSubstr("all flows come from the receivers"));
    EXPECT_THAT(complaint_with({"--quiet"}), HasSubstr("--quiet prints none"));
    EXPECT_THAT(complaint_with({"--via", "c"}), HasSubstr("--interval cannot be given with --via"));
    for (const char* other : {"--json", "--log=-"}) {
        EXPECT_THAT(complaint_with({other}), HasSubstr("both go to standard output"));
        EXPECT_THAT(complaint_with({other, "--jsonl"}), HasSubstr("both go to standard output"));
    }
    EXPECT_THAT(complaint_with({"--log=-", "--jsonl=r.jsonl"}), HasSubstr("both go to standard output"));
    EXPECT_EQ(complaint_with({"--log=-", "--jsonl=r.jsonl", "--quiet"}), "");
    EXPECT_THAT(usage_complaint({"--daemon", "--interval", "1s"}), HasSubstr("--interval"));
    EXPECT_THAT(usage_complaint({"--calibrate", "--to", "b", "--interval", "1s"}), HasSubstr("--interval"));
}

TEST(SenderOptions, ADryRunIsTextUnlessJsonIsAskedFor) {
    EXPECT_EQ(options_from({"--to", "b", "--dry-run"}).action, SenderOptions::Action::dry_run);
    EXPECT_EQ(options_from({"--to", "b", "--dry-run"}).dry_run_format, DryRunFormat::text);
    EXPECT_EQ(options_from({"--to", "b", "--dry-run=json"}).dry_run_format, DryRunFormat::json_lines);
}

TEST(SenderOptions, HelpVersionAndTheListOfProfilesNeedNoTarget) {
    EXPECT_EQ(options_from({"--help"}).action, SenderOptions::Action::help);
    EXPECT_EQ(options_from({"--version"}).action, SenderOptions::Action::version);
    EXPECT_EQ(options_from({"--list-profiles"}).action, SenderOptions::Action::list_profiles);
}

TEST(SenderOptions, AllErrorsAreToldTogether) {
    const std::string told = usage_complaint(
        {"--to", "b", "--size", "const:0", "--idt", "exp:2000", "--duration", "soon", "--thraeds", "2", "--seed", "x"});
    EXPECT_THAT(told, AllOf(HasSubstr("--size: "), HasSubstr("const:0"), HasSubstr("--idt: "), HasSubstr("exp:2000"),
                            HasSubstr("--duration: "), HasSubstr("soon")));
    EXPECT_THAT(told, AllOf(HasSubstr("did you mean --threads?"), HasSubstr("--seed: 'x'")));
}

TEST(SenderOptions, ErrorsAreToldInOneOrderWhereverTheOptionsStand) {
    const std::vector<std::string> expected{"--timeout", "--threads", "--log-block",   "--wait", "--log-rate",
                                            "--to",      "--profile", "--ttl",         "--idt",  "--bytes",
                                            "--header",  "--payload", "--flows",       "--port", "--start-spread",
                                            "--require", "--passive", "--passive-wait"};
    std::vector<std::string> arguments;
    for (auto option = expected.rbegin(); option != expected.rend(); ++option) {
        arguments.insert(arguments.end(), {*option, "@"});
    }
    std::istringstream told(usage_complaint(arguments));
    std::vector<std::string> order;
    for (std::string line; std::getline(told, line);) {
        order.push_back(line.substr(0, line.find(':')));
    }
    EXPECT_EQ(order, expected);
}

struct BadLine {
    std::vector<std::string> arguments;
    std::vector<std::string> told;
};

class SenderOptionsThatAreWrong : public testing::TestWithParam<BadLine> {};

TEST_P(SenderOptionsThatAreWrong, AreRefusedWithWhatWasGivenAndWhatWouldBeRight) {
    const std::string told = usage_complaint(GetParam().arguments);
    for (const std::string& text : GetParam().told) {
        EXPECT_THAT(told, HasSubstr(text));
    }
}

INSTANTIATE_TEST_SUITE_P(
    Table, SenderOptionsThatAreWrong,
    testing::Values(BadLine{{}, {"--to"}}, BadLine{{"--idt", "const:10pps"}, {"--to HOST[:PORT]", "experiment file"}},
                    BadLine{{"--to", "b", "--rate", "1000"}, {"--rate: '1000' is not a rate", "bps kbps Mbps"}},
                    BadLine{{"--to", "b", "--rate", "1kpps", "--idt", "cauchy:1ms:1ms"}, {"--rate: ", "no mean"}},
                    BadLine{{"10.77.0.2"}, {"no experiment file '10.77.0.2'; did you mean --to 10.77.0.2?"}},
                    BadLine{{"[fd99::2]:9000", "--seed", "1"}, {"did you mean --to [fd99::2]:9000?"}},
                    BadLine{{"--to", "b", "--idtt", "const:1000pps"}, {"--idtt", "did you mean --idt?"}},
                    BadLine{{"--to"}, {"--to needs a value"}}, BadLine{{"--to", "b:99999"}, {"--to: ", "99999"}},
                    BadLine{{"--to", "b", "--idt=const:-5pps"}, {"--idt: ", "-5pps"}},
                    BadLine{{"--to", "b", "--idt", "exp:2000"}, {"exp:2000", "pps"}},
                    BadLine{{"--to", "b", "--size", "const:100000"}, {"100000", "65507"}},
                    BadLine{{"--to", "b", "--size", "gauss:1:2"}, {"--size: ", "gauss"}},
                    BadLine{{"--to", "b", "--transport", "carrier-pigeon"}, {"--transport: ", "carrier-pigeon"}},
                    BadLine{{"--to", "b", "--on", "exp:1s"}, {"--on needs --off"}},
                    BadLine{{"--to", "b", "--off", "exp:1s"}, {"--off needs --on"}},
                    BadLine{{"--to", "b", "--profile", "voipp"}, {"--profile: ", "voipp"}},
                    BadLine{{"--to", "b", "--port", "0"}, {"--port: '0'", "1 to 65535"}},
                    BadLine{{"--to", "b", "--port", "65535", "--flows", "2"}, {"--port: ", "beyond 65535"}},
                    BadLine{{"--to", "b", "--header", "half"},
                            {"--header: unknown header level 'half'", "full, sequence or none"}},
                    BadLine{{"--to", "b", "--start", "-1s"}, {"--start: ", "-1s"}},
                    BadLine{{"--to", "b", "--flows", "0"}, {"--flows: '0'"}},
                    BadLine{{"--to", "b", "--flows", "2", "--parallel", "2"}, {"--parallel is --flows"}},
                    BadLine{{"--to", "b", "--idt", "max", "--rate", "1pps"}, {"--rate: ", "not both"}},
                    BadLine{{"--to", "b", "--idt", "max", "--meter", "round-trip"}, {"as fast as possible", "a rate"}},
                    BadLine{{"--to", "b", "--flows", "1e3"}, {"--flows: '1e3'", "whole number"}},
                    BadLine{{"--to", "b", "--duration", "10"}, {"--duration: ", "10"}},
                    BadLine{{"--to", "b", "--duration", "0s"}, {"--duration: "}},
                    BadLine{{"--to", "b", "--packets", "-1"}, {"--packets: '-1'"}},
                    BadLine{{"--to", "b", "--bytes", "10furlongs"}, {"--bytes: ", "10furlongs"}},
                    BadLine{{"--to", "b", "--bytes", "0"}, {"--bytes: "}},
                    BadLine{{"--to", "b", "--seed", "18446744073709551616"}, {"--seed: '18446744073709551616'"}},
                    BadLine{{"--to", "b", "--name", "../etc"}, {"--name: '../etc'"}},
                    BadLine{{"--to", "b", "--control-port", "70000"}, {"--control-port: '70000'"}},
                    BadLine{{"--to", "b", "--threads", "0"}, {"--threads: '0'"}},
                    BadLine{{"--to", "b", "--pin", "2-1"}, {"--pin: '2-1'", "not a list of cores"}},
                    BadLine{{"--to", "b", "--lateness", "drop"},
                            {"--lateness: unknown policy for late packets 'drop'", "catch-up, skip or shift"}},
                    BadLine{{"--to", "b", "--via", "c", "--pin", "1"}, {"--pin cannot be given with --via"}},
                    BadLine{{"--to", "b", "--log-block", "5000"}, {"--log-block: '5000'", "4096"}},
                    BadLine{{"--to", "b", "--wait", "2h"}, {"--wait: '2h'", "60s"}},
                    BadLine{{"--to", "b", "--dry-run=xml"}, {"--dry-run: unknown format 'xml'", "text or json"}},
                    BadLine{{"--to", "b", "--log-server", "c:0"}, {"--log-server: ", "c:0"}},
                    BadLine{{"--to", "b", "--receiver-log-server", "c:port"}, {"--receiver-log-server: ", "c:port"}},
                    BadLine{{"--to", "b", "--quiet=yes"}, {"--quiet takes no value"}},
                    BadLine{{"--to", "b", "--seed", "1", "--seed", "2"}, {"--seed is given twice"}},
                    BadLine{{"a.toml", "b.toml"}, {"'b.toml'"}},
                    BadLine{{"--help", "--qiet"}, {"did you mean --quiet?"}}));

TEST(SenderOptions, ThreadsHaveCoresAndUrgencyAndFlowsAPolicy) {
    const SenderOptions usual = options_from({"--to", "b"});
    EXPECT_EQ(usual.threads, 0U);
    EXPECT_THAT(usual.pin, IsEmpty());
    EXPECT_EQ(usual.realtime, Realtime::automatic);
    EXPECT_EQ(usual.experiment.flows[0].lateness, LatenessPolicy::catch_up);
    const SenderOptions options =
        options_from({"--to", "b", "--threads", "auto", "--pin", "0,2-3", "--realtime", "on", "--lateness", "skip"});
    EXPECT_EQ(options.threads, 0U);
    EXPECT_EQ(options.pin, (std::vector<unsigned>{0, 2, 3}));
    EXPECT_EQ(options.realtime, Realtime::on);
    EXPECT_EQ(options.experiment.flows[0].lateness, LatenessPolicy::skip);
}

TEST(SenderOptions, AnExperimentFileBringsItsFlows) {
    const ExperimentFile file(kTwoFlows);
    const Experiment experiment = options_from({file.path()}).experiment;
    EXPECT_EQ(experiment.name, "pair");
    ASSERT_THAT(experiment.flows, SizeIs(2));
    EXPECT_EQ(experiment.flows[1].target.control_port, 9555);
}

TEST(SenderOptions, AnExperimentFileNamesTheFileOfAKeyFromItsFolder) {
    const ExperimentFile file("key = \"lab.key\"\n" + std::string(kTwoFlows));
    const auto folder = std::filesystem::path(file.path()).parent_path();
    EXPECT_EQ(options_from({file.path()}).key_file, folder / "lab.key");
    EXPECT_EQ(options_from({file.path(), "--key", "other.key"}).key_file, "other.key");
    EXPECT_EQ(options_from({ExperimentFile(kTwoFlows).path()}).key_file, "");
    EXPECT_EQ(options_from({ExperimentFile("key = \"none\"\n" + std::string(kTwoFlows)).path()}).key_file, "none");
}

TEST(SenderOptions, StopRulesSeedNameAndControlPortGoOverAnExperimentFile) {
    const ExperimentFile file(kTwoFlows);
    const Experiment experiment =
        options_from({file.path(), "--duration", "1s", "--seed", "9", "--name", "again", "--control-port", "9100"})
            .experiment;
    EXPECT_EQ(experiment.name, "again");
    EXPECT_EQ(experiment.seed, 9U);
    EXPECT_EQ(experiment.flows[0].seed, 9U);
    EXPECT_EQ(experiment.flows[0].stop.duration, std::chrono::seconds(1));
    EXPECT_EQ(experiment.flows[1].stop.packets, 7U);
    EXPECT_EQ(experiment.flows[0].target.control_port, 9100);
    EXPECT_EQ(experiment.flows[1].target.control_port, 9555) << "the file names this port";
}

TEST(SenderOptions, AFlowIsDescribedByTheFileOrByOptionsButNotByBoth) {
    const ExperimentFile file(kTwoFlows);
    const std::string told = usage_complaint({file.path(), "--size", "const:5", "--to", "b"});
    EXPECT_THAT(told, AllOf(HasSubstr("--size describes a flow"), HasSubstr("--to describes a flow")));
}

TEST(SenderOptions, ErrorsOfAFileKeepTheirPlacesBesideThoseOfTheCommandLine) {
    const ExperimentFile file("[[flow]]\nto = \"b\"\nidt = \"exp:2000\"\nduration = \"1s\"\n");
    EXPECT_THROW((void)options_from({file.path()}), ParseError);
    EXPECT_THAT(usage_complaint({file.path(), "--threads", "0"}), AllOf(HasSubstr(":3:"), HasSubstr("--threads: '0'")));
}

TEST(SenderOptions, AnExperimentFileThatIsNotThereIsNamed) {
    try {
        (void)options_from({"no-such-experiment.toml"});
        FAIL() << "it was read";
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), HasSubstr("no-such-experiment.toml"));
    }
}

constexpr const char* kTwoSources = R"(
[hosts]
alpha = "10.0.0.1"
beta = "10.0.0.2"
[defaults]
to = "10.0.0.3"
packets = 1
[[flow]]
name = "one"
from = "alpha"
[[flow]]
name = "two"
from = "beta"
)";

TEST(SenderOptions, SendsTheFlowsOfOneHostOfAnExperiment) {
    const ExperimentFile file(kTwoSources);
    const SenderOptions options = options_from({file.path(), "--as", "beta"});
    ASSERT_THAT(options.experiment.flows, SizeIs(1));
    EXPECT_EQ(options.experiment.flows.front().name, "two");
    EXPECT_EQ(options.experiment.flows.front().id, FlowId{2});
    EXPECT_THAT(options.warnings, IsEmpty());
}

TEST(SenderOptions, WarningsThatItSendsTheFlowsOfAllHostsOfAnExperiment) {
    const ExperimentFile file(kTwoSources);
    const SenderOptions options = options_from({file.path()});
    EXPECT_THAT(options.experiment.flows, SizeIs(2));
    ASSERT_THAT(options.warnings, SizeIs(1));
    EXPECT_THAT(options.warnings.front(), HasSubstr("--as NAME"));
}

TEST(SenderOptions, RefusesToBeAHostThatNoFlowGoesFrom) {
    const ExperimentFile file(kTwoSources);
    EXPECT_THAT(usage_complaint({file.path(), "--as", "bta"}),
                HasSubstr("no flow goes from 'bta'; did you mean 'beta'?"));
}

constexpr const char* kTwoHosts = R"(
[hosts]
alpha = { address = "10.0.0.1", agent = 9100 }
beta = "10.0.0.2:9900"
[defaults]
packets = 1
to = "beta"
[[flow]]
name = "here"
[[flow]]
name = "there"
from = "alpha"
)";

TEST(SenderOptions, FlowsFromHostsWithAnAgentAreSentThere) {
    const ExperimentFile file(kTwoHosts);
    const HostAliases of_file{{"alpha", {.host = "10.0.0.1", .control_port = 9100}}};
    const SenderOptions options = options_from({file.path()});
    EXPECT_EQ(options.agents, of_file);
    EXPECT_THAT(options.warnings, IsEmpty());
    EXPECT_EQ(options_from({file.path(), "--agents", "beta"}).agents, of_file) << "nothing goes from beta";
    EXPECT_EQ(options_from({file.path(), "--agents", "alpha"}).agents, of_file);
    EXPECT_EQ(options_from({file.path(), "--agents", "alpha:9200"}).agents.at("alpha").control_port, 9200);
    EXPECT_THAT(options_from({file.path(), "--as", "alpha"}).agents, IsEmpty());
    const SenderOptions started = options_from({file.path(), "--agents", "ssh:alpha,ssh:beta"});
    EXPECT_EQ(started.agents, of_file);
    EXPECT_THAT(started.agent_command, ElementsAre("ssh", "-o", "BatchMode=yes", "--"));
    const ExperimentFile without(kTwoSources);
    const SenderOptions both = options_from({without.path(), "--agents", "alpha,beta"});
    ASSERT_THAT(both.agents, SizeIs(2));
    EXPECT_EQ(both.agents.at("beta").control_port, 9003);
}

TEST(SenderOptions, WhatAgentsCannotDoIsRefused) {
    const ExperimentFile file(kTwoHosts);
    const ExperimentFile without(kTwoSources);
    const auto complaint = [&](std::vector<std::string> more) {
        more.insert(more.begin(), file.path());
        return usage_complaint(more);
    };
    EXPECT_THAT(usage_complaint({without.path(), "--agents", "alpha"}),
                HasSubstr("flow 'two' from 'beta': that host has no agent"));
    EXPECT_THAT(complaint({"--agents", "alhpa"}), HasSubstr("there is no host 'alhpa' in [hosts] of the experiment "
                                                            "file; did you mean 'alpha'?"));
    EXPECT_THAT(complaint({"--agents", "alpha:0"}), HasSubstr("--agents"));
    EXPECT_THAT(complaint({"--agents", "alpha,ssh:beta"}), HasSubstr("for all agents, or for none"));
    EXPECT_THAT(complaint({"--agent-command", "true"}), HasSubstr("--agents ssh:NAME"));
    EXPECT_THAT(complaint({"--agents", "alpha", "--as", "alpha"}), HasSubstr("exclude each other"));
    EXPECT_THAT(complaint({"--passive", "9002", "--open-to-anyone"}), HasSubstr("--passive does not go with agents"));
    EXPECT_THAT(complaint({"--via", "10.0.0.3"}), HasSubstr("--via does not go with agents"));
    EXPECT_THAT(complaint({"--log", "x.glog", "--force"}), HasSubstr("--force does not go with agents"));
    EXPECT_THAT(complaint({"--reverse"}), HasSubstr("leave out 'from'"));
    EXPECT_TRUE(options_from({file.path(), "--interval", "1s"}).interval) << "one flow goes from here";
    for (const char* const live : {"--interval=1s", "--web=8080"}) {
        EXPECT_THAT(usage_complaint({without.path(), "--agents", "alpha,beta", live}),
                    HasSubstr("agents show no rows"));
    }
    const ExperimentFile with_payload(std::string(kTwoHosts) + "payload = \"file:x\"\n");
    EXPECT_THAT(usage_complaint({with_payload.path()}), HasSubstr("its agent does not have payload file:"));
}

TEST(SenderOptions, ATimeoutStretchesAllWaitsForPeersOfARunAndOfADaemon) {
    for (const char* action : {"--to=10.0.0.2", "--daemon"}) {
        const SenderOptions options = options_from({action, "--timeout", "40s"});
        EXPECT_EQ(options.times.silence, std::chrono::seconds(40));
        EXPECT_EQ(options.shipping.times.patience, std::chrono::minutes(5));
    }
    EXPECT_THAT(usage_complaint({"--to", "10.0.0.2", "--timeout", "2h"}), HasSubstr("--timeout: '2h' is out of range"));
}

TEST(SenderOptions, RequirementsOfTheCommandLineTakeThePlaceOfThoseInTheFile) {
    EXPECT_EQ(
        to_string(options_from({"--to", "b", "--packets", "5", "--require", "rate=0.1%,loss=0"}).experiment.required),
        "rate=0.001,loss=0");
    EXPECT_THAT(usage_complaint({"--to", "b", "--packets", "5", "--require", "speed=1"}),
                HasSubstr("--require: 'speed'"));
    const ExperimentFile file(std::string(kTwoFlows) + "[require]\nlateness-p99 = \"1ms\"\nloss = 0\n");
    EXPECT_EQ(to_string(options_from({file.path()}).experiment.required), "lateness-p99=1ms,loss=0");
    EXPECT_EQ(to_string(options_from({file.path(), "--require", "behind=1s"}).experiment.required), "behind=1s");
}

TEST(SenderOptions, ATestIsAnExperimentWithTheReceiverOfTheCommandLine) {
    const SenderOptions options =
        options_from({"--test", "voip", "--to", "beta:9100", "--duration", "2s", "--seed", "3"});
    EXPECT_EQ(options.experiment.name, "voip");
    ASSERT_THAT(options.experiment.flows, SizeIs(2));  // both directions
    for (const FlowSpec& flow : options.experiment.flows) {
        EXPECT_EQ(to_string(flow.target), "beta:9100");
        EXPECT_EQ(flow.stop.duration, std::chrono::seconds(2));
        EXPECT_EQ(flow.seed, 3U);
    }
    EXPECT_EQ(options_from({"--test", "ramp", "--to", "b", "--name", "mine"}).experiment.name, "mine");
}

TEST(SenderOptions, ATestCanBePrintedAndListed) {
    const SenderOptions printed = options_from({"--test", "voip", "--print"});
    EXPECT_EQ(printed.action, SenderOptions::Action::print_test);
    EXPECT_THAT(printed.test_file, HasSubstr("receiver = \"127.0.0.1\""));
    EXPECT_THAT(options_from({"--test", "voip", "--to", "b", "--print"}).test_file, HasSubstr("receiver = \"b:9000\""));
    EXPECT_EQ(options_from({"--test", "list"}).action, SenderOptions::Action::list_tests);
}

TEST(SenderOptions, WhatDoesNotGoWithATestIsRefused) {
    EXPECT_THAT(usage_complaint({"--test", "voip"}), HasSubstr("nowhere to send to"));
    EXPECT_THAT(usage_complaint({"--test", "voib", "--to", "b"}), HasSubstr("--test: there is no test 'voib'"));
    EXPECT_THAT(usage_complaint({"--test", "voip", "--to", "b", "a.toml"}), HasSubstr("exclude each other"));
    EXPECT_THAT(usage_complaint({"--test", "voip", "--to", "b", "--rate", "1pps"}),
                HasSubstr("--rate describes a flow, but --test voip has its own flows"));
    EXPECT_THAT(usage_complaint({"--to", "b", "--print"}), HasSubstr("--print prints the experiment file of a test"));
    EXPECT_THAT(usage_complaint({"--test", "voip", "--to", "b/c"}), HasSubstr("does not name a host"));
}

TEST(SenderOptions, MetricsAreOfARunHereOrOfADaemon) {
    EXPECT_TRUE(options_from({"--to", "b"}).metrics.empty());
    EXPECT_EQ(options_from({"--to", "b", "--metrics", "9100"}).metrics.size(), 2U);
    EXPECT_EQ(options_from({"--daemon", "--metrics", "[::1]:9100"}).metrics.size(), 1U);
    EXPECT_THAT(usage_complaint({"--to", "b", "--metrics", "10.0.0.1:9100"}),
                HasSubstr("can be reached from other hosts"));
    EXPECT_THAT(usage_complaint({"--to", "b", "--via", "c", "--metrics", "9100"}),
                HasSubstr("--metrics cannot be given with --via"));
    EXPECT_THAT(usage_complaint({"--calibrate", "--to", "b", "--metrics", "9100"}), HasSubstr("--metrics"));
}

TEST(SenderOptions, ARateMayChangeWithTime) {
    const FlowSpec flow =
        options_from({"--to", "b", "--rate", "ramp:0bps:8Mbps:10s", "--size", "1000", "--duration", "1s"})
            .experiment.flows.front();
    EXPECT_EQ(flow.idt, Distribution(Constant{1e6}));
    EXPECT_EQ(to_string(flow.rate_over_time.value()), "ramp:0bps:8Mbps:10s");
    EXPECT_THAT(usage_complaint({"--to", "b", "--rate", "ramp:1Mbps:8Mbps"}), HasSubstr("--rate: cannot use"));
    EXPECT_THAT(usage_complaint({"--to", "b", "--rate", "steps:1pps:1s", "--on", "1s", "--off", "1s"}),
                HasSubstr("without ON and OFF periods"));
    EXPECT_THAT(usage_complaint({"--to", "b", "--rate", "steps:1pps:1s", "--idt", "max"}),
                HasSubstr("give a rate, or 'max'"));
    EXPECT_THROW((void)options_from({"--to", "b", "--rate", "file:/nowhere/rates"}), SystemError);
}

TEST(SenderOptions, StartsAndVolumesMayBeDrawnForEachFlow) {
    const std::vector<std::string> words = {"--to",    "b",      "--flows", "3",
                                            "--start", "exp:1s", "--bytes", "pareto:1.5:10kB"};
    const std::vector<FlowSpec> flows = options_from(words).experiment.flows;
    ASSERT_THAT(flows, SizeIs(3));
    EXPECT_NE(flows[0].start_delay, flows[1].start_delay);
    EXPECT_NE(flows[0].stop.bytes, flows[1].stop.bytes);
    EXPECT_EQ(flows, options_from(words).experiment.flows);
    EXPECT_THAT(usage_complaint({"--to", "b", "--start", "exp:1", "--packets", "1"}), HasSubstr("--start: "));
    EXPECT_THAT(usage_complaint({"--to", "b", "--start", "file:starts", "--packets", "1"}),
                HasSubstr("no file can be named here"));
    EXPECT_THAT(usage_complaint({"--to", "b", "--bytes", "pareto:1kB"}), HasSubstr("--bytes: "));
    const ExperimentFile file(std::string(kTwoFlows) + "start = \"exp:1s\"\n");
    EXPECT_EQ(options_from({file.path(), "--seed", "5"}).experiment.flows,
              options_from({file.path(), "--seed", "5"}).experiment.flows);
    EXPECT_NE(options_from({file.path(), "--seed", "5"}).experiment.flows[1].start_delay,
              options_from({file.path(), "--seed", "6"}).experiment.flows[1].start_delay);
    EXPECT_GT(options_from({file.path(), "--bytes", "exp:1kB"}).experiment.flows[0].stop.bytes.value().count, 0U);
}

}  // namespace
}  // namespace groma
