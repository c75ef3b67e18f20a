#include "common/model/experiment/experiment.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/profiles.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

Experiment parse(std::string_view text) {
    return parse_experiment(text, "test.toml", {}, 42);
}

/// "LINE:COLUMN WHAT" of each error.
std::vector<std::string> errors(std::string_view text) {
    try {
        static_cast<void>(parse(text));
    } catch (const ParseError& wrong) {
        std::vector<std::string> lines;
        for (const TextError& error : wrong.errors()) {
            lines.push_back(std::to_string(error.line) + ":" + std::to_string(error.column) + " " + error.what);
        }
        return lines;
    }
    return {};
}

std::string only_error(std::string_view text) {
    const auto all = errors(text);
    return all.size() == 1 ? all.front() : std::to_string(all.size()) + " errors";
}

TEST(Experiment, HasTheFlowsOfTheFileInTheirOrder) {
    const Experiment experiment = parse(R"(
name = "two"
seed = 7
duration = "10s"
[[flow]]
name = "b"
to = "10.0.0.2"
idt = "exp:1000pps"
size = "unif:64:1472"
[[flow]]
name = "a"
to = "host:9100"
port = 5000
transport = "tcp"
size = 1000
on = "1s"
off = "exp:2s"
duration = "5s"
packets = 100
bytes = "1MB"
start = "0.5s"
header = "sequence"
)");
    FlowSpec b;
    b.id = FlowId{1};
    b.name = "b";
    b.seed = 7;
    b.target = {"10.0.0.2", 9000, {}};
    b.idt = Exponential{1e6};
    b.size = Uniform{64, 1472};
    b.stop.duration = 10s;
    FlowSpec a;
    a.id = FlowId{2};
    a.name = "a";
    a.seed = 7;
    a.target = {"host", 9100, 5000};
    a.transport = Transport::tcp;
    a.size = Constant{1000};
    a.on_off = OnOff{Constant{1e9}, Exponential{2e9}};
    a.stop = {5s, 100, Bytes{1'000'000}};
    a.start_delay = 500ms;
    a.header = HeaderLevel::sequence;
    EXPECT_EQ(experiment, (Experiment{"two", 7, 7, {b, a}}));
}

TEST(Experiment, TakesTheGivenSeedWhenTheFileHasNone) {
    const Experiment experiment = parse("[[flow]]\nto = \"h\"\npackets = 1");
    EXPECT_EQ(experiment.seed, 42U);
    EXPECT_EQ(experiment.seed_given, std::nullopt);
    EXPECT_EQ(experiment.flows.at(0).seed, 42U);
    EXPECT_EQ(experiment.name, "test");
}

TEST(Experiment, HostsCanHaveAliases) {
    const Experiment experiment = parse(R"(
[hosts]
alpha = "10.99.0.2"
beta = { address = "10.99.0.3", port = 9100 }
gamma = "[fd00::1]:9200"
[defaults]
packets = 1
[[flow]]
to = "alpha"
[[flow]]
to = "beta"
[[flow]]
to = "gamma"
[[flow]]
to = "alpha:9300"
[[flow]]
to = "delta"
)");
    EXPECT_EQ(experiment.flows.at(0).target, (Target{"10.99.0.2", 9000, {}}));
    EXPECT_EQ(experiment.flows.at(1).target, (Target{"10.99.0.3", 9100, {}}));
    EXPECT_EQ(experiment.flows.at(2).target, (Target{"fd00::1", 9200, {}}));
    EXPECT_EQ(experiment.flows.at(3).target, (Target{"10.99.0.2", 9300, {}}));
    EXPECT_EQ(experiment.flows.at(4).target, (Target{"delta", 9000, {}}));
}

TEST(Experiment, AnAliasIsNoPath) {
    for (const char* alias : {"", "a/b", "../../alpha", "al\\npha"}) {
        const auto all = errors("[hosts]\n\"" + std::string(alias) + "\" = \"10.0.0.1\"\n");
        ASSERT_FALSE(all.empty()) << alias;
        EXPECT_EQ(all.front().substr(0, 15), "2:1 the alias '") << all.front();
    }
}

TEST(Experiment, AMulticastFlowHasSeveralReceivers) {
    const Experiment experiment = parse(R"(
[hosts]
beta = { address = "10.99.0.3", port = 9100 }
[[flow]]
to = "beta, 10.99.0.4"
group = "239.1.1.1"
packets = 1
meter = "one-way"
lateness = "skip"
payload = "zero"
)");
    const FlowSpec& flow = experiment.flows.at(0);
    EXPECT_EQ(flow.target, (Target{"10.99.0.3", 9100, {}}));
    EXPECT_EQ(flow.also_to, (std::vector<Target>{{"10.99.0.4", 9000, {}}}));
    EXPECT_EQ(flow.to_host, "beta");
    EXPECT_EQ(flow.payload, "zero");
}

TEST(Experiment, SeveralReceiversWithoutAGroupAreAError) {
    EXPECT_THROW(static_cast<void>(parse("[[flow]]\nto = \"a, b\"\npackets = 1\n")), ParseError);
}

TEST(Experiment, FlowsSayWhichHostsTheyGoFromAndTo) {
    const Experiment experiment = parse(R"(
[hosts]
zeta = "10.99.0.9"
beta = "10.99.0.3"
[ranks]
zeta = 0
log-server = 2
[defaults]
packets = 1
from = "zeta"
[[flow]]
to = "beta"
[[flow]]
to = "beta:9300"
[[flow]]
from = "beta"
to = "10.99.0.7"
)");
    EXPECT_EQ(experiment.hosts,
              (std::vector<ExperimentHost>{{"zeta", {"10.99.0.9", 9000, {}}}, {"beta", {"10.99.0.3", 9000, {}}}}));
    EXPECT_EQ(experiment.ranks, (std::map<std::string, int, std::less<>>{{"zeta", 0}, {"log-server", 2}}));
    EXPECT_EQ(experiment.flows.at(0).from_host, "zeta");
    EXPECT_EQ(experiment.flows.at(0).to_host, "beta");
    EXPECT_EQ(experiment.flows.at(1).to_host, "beta");
    EXPECT_EQ(experiment.flows.at(2).from_host, "beta");
    EXPECT_EQ(experiment.flows.at(2).to_host, "");
}

TEST(Experiment, AHostThatIsNotInTheFileIsAErrorWithAGuess) {
    EXPECT_NE(only_error("[hosts]\nalpha = \"h\"\n[[flow]]\nto = \"h\"\npackets = 1\nfrom = \"alhpa\"")
                  .find("there is no host 'alhpa' in [hosts]; did you mean 'alpha'?"),
              std::string::npos);
    EXPECT_NE(only_error("[hosts]\nalpha = \"h\"\n[ranks]\nalhpa = 1\n[[flow]]\nto = \"h\"\npackets = 1")
                  .find("unknown key 'alhpa'; did you mean 'alpha'?"),
              std::string::npos);
    EXPECT_NE(only_error("[hosts]\nlog-server = \"h\"\n[[flow]]\nto = \"h\"\npackets = 1")
                  .find("no host can be called 'log-server'"),
              std::string::npos);
    EXPECT_NE(
        only_error("[hosts]\na = { address = \"h\", agent = 0 }\n[[flow]]\nto = \"h\"\npackets = 1").find("agent"),
        std::string::npos);
    EXPECT_NE(only_error("[hosts]\na = \"h\"\n[ranks]\na = -1\n[[flow]]\nto = \"h\"\npackets = 1")
                  .find("must be a whole number from 0"),
              std::string::npos);
}

TEST(Experiment, CountMakesEqualFlowsWithNamesIdsAndPortsOfTheirOwn) {
    const Experiment experiment = parse("[[flow]]\nname = \"f\"\nto = \"h\"\nport = 6000\ncount = 300\npackets = 1");
    ASSERT_EQ(experiment.flows.size(), 300U);
    EXPECT_EQ(experiment.flows.front().name, "f-1");
    EXPECT_EQ(experiment.flows.back().name, "f-300");
    EXPECT_EQ(experiment.flows.back().id, FlowId{300});
    EXPECT_EQ(experiment.flows.back().target.data_port, 6299);
}

TEST(Experiment, ASettingBesideAProfileWinsOverIt) {
    const Experiment experiment =
        parse("[[flow]]\nsize = 100\nprofile = \"voip-g711.1-rtp\"\nto = \"h\"\nduration = \"1s\"");
    EXPECT_EQ(experiment.flows.at(0).size, Distribution(Constant{100}));
    EXPECT_EQ(experiment.flows.at(0).idt, profile("voip-g711.1-rtp").idt);
    EXPECT_EQ(experiment.flows.at(0).profile, "voip-g711.1-rtp");
}

TEST(Experiment, AProfileOfAFlowWinsOverDefaults) {
    const Experiment experiment =
        parse("[defaults]\nsize = 100\nduration = \"1s\"\nto = \"h\"\n[[flow]]\nprofile = \"telnet\"\n[[flow]]\n");
    EXPECT_EQ(experiment.flows.at(0).size, profile("telnet").size);
    EXPECT_EQ(experiment.flows.at(0).transport, Transport::tcp);
    EXPECT_EQ(experiment.flows.at(1).size, Distribution(Constant{100}));
    EXPECT_EQ(experiment.flows.at(1).name, "flow2");
}

TEST(Experiment, FiveErrorsAreReportedTogetherWithTheirPlaces) {
    const auto all = errors(R"(name = "five"
duratoin = "10s"
[[flow]]
to = "10.0.0.2"
idt = "exp:2000"
duration = "1s"
[[flow]]
to = "10.0.0.2"
size = true
packets = "many"
[[flow]]
to = "10.0.0.2"
)");
    EXPECT_EQ(
        all, (std::vector<std::string>{
                 "2:1 unknown key 'duratoin'; did you mean 'duration'?",
                 "5:7 idt: cannot use 'exp:2000' as inter-departure time: 'exp:2000' has no unit: write exp:2000pps or "
                 "exp:2000us",
                 "9:8 size: must be text in quotes, not a boolean",
                 "10:11 packets: must be a whole number from 1 to 9223372036854775807, without quotes",
                 "11:1 the flow never stops: give a duration, a number of packets, or a number of bytes",
             }));
}

TEST(Experiment, AnErrorInTheDefaultsIsReportedOnce) {
    EXPECT_EQ(only_error("[defaults]\nto = \"h\"\npackets = 1\nidt = \"exp\"\n[[flow]]\n[[flow]]\n").substr(0, 9),
              "4:7 idt: ");
}

TEST(Experiment, SaysWhereItIsNoToml) {
    const auto all = errors("name = \"x\"\n[[flow]\n");
    ASSERT_EQ(all.size(), 1U);
    EXPECT_EQ(all.front().substr(0, 2), "2:");
    EXPECT_EQ(only_error("name = \"x\"\n[=]\n").substr(0, 4), "2:2 ");
    EXPECT_EQ(only_error("größe = 1\n").substr(0, 2), "1:");
    EXPECT_EQ(only_error("[größe]\n").substr(0, 2), "1:");
}

TEST(Experiment, WithoutFlowsIsAError) {
    EXPECT_EQ(only_error(""), "0:0 there are no flows: write [[flow]] and settings below it");
}

TEST(Experiment, KnowsTheUsualSlipsOfToml) {
    EXPECT_NE(only_error("[flow]\nto = \"h\"\npackets = 1").find("two brackets"), std::string::npos);
    EXPECT_NE(only_error("hosts = 3").find("'hosts' is a table"), std::string::npos);
    EXPECT_NE(only_error("defaults = []").find("'defaults' is a table"), std::string::npos);
    EXPECT_NE(only_error("flow = [1]").find("a flow is a table"), std::string::npos);
}

TEST(Experiment, TwoFlowsToOnePortAreAError) {
    const std::string two = "[defaults]\nto = \"h\"\npackets = 1\nport = 5000\n[[flow]]\n[[flow]]\n";
    EXPECT_EQ(only_error(two), "6:1 flow 'flow1' already goes to port 5000 of h");
    EXPECT_EQ(errors(two + "transport = \"tcp\"").size(), 0U);
}

TEST(Experiment, TwoFlowsOfOneNameAreAError) {
    EXPECT_EQ(only_error("[defaults]\nto = \"h\"\npackets = 1\n[[flow]]\nname = \"a\"\n[[flow]]\nname = \"a\"\n"),
              "6:1 there are two flows named 'a'");
}

TEST(Experiment, RefusesValuesThatMakeNoSense) {
    for (const std::string bad : {"count = 0",
                                  "count = -1",
                                  "count = 100001",
                                  "port = 0",
                                  "port = 65536",
                                  "port = \"5000\"",
                                  "duration = 10",
                                  "duration = 1.5",
                                  "duration = \"0s\"",
                                  "bytes = 0",
                                  "bytes = -1",
                                  "on = \"1s\"",
                                  "off = \"1s\"",
                                  "to = \"\"",
                                  "to = 3.5",
                                  "header = \"half\"",
                                  "profile = \"fax\"",
                                  "transport = \"xtp\"",
                                  "size = 70000",
                                  "size = 0.5",
                                  "start = \"-1s\"",
                                  "name = \"\"",
                                  "name = \"a\\u0007\"",
                                  "idt = [1]",
                                  "file = \"x\"",
                                  "idt = \"file:gaps.txt\"",
                                  "on = \"1ns\"\noff = \"1s\"\nidt = \"1h\"",
                                  "port = 65535\ncount = 2"}) {
        EXPECT_EQ(errors("[defaults]\nto = \"h\"\npackets = 1\n[[flow]]\n" + bad).size(), 1U) << bad;
    }
}

TEST(Experiment, RefusesTopLevelValuesThatMakeNoSense) {
    for (const std::string bad : {"seed = -1", "seed = \"x\"", "seed = 1.5", "name = \"a/b\"", "name = \"\"",
                                  "name = 3.5", "duration = 3", "hosts = { a = 3.5 }", "hosts = { a = { port = 3 } }",
                                  "hosts = { a = { address = \"h\", prot = 3 } }", "hosts = { a = \"a b\" }"}) {
        EXPECT_EQ(errors(bad + "\n[[flow]]\nto = \"a\"\npackets = 1").size(), 1U) << bad;
    }
}

TEST(Experiment, AKeyIsTheNameOfAFileInQuotes) {
    constexpr std::string_view kFlow = "\n[[flow]]\nto = \"a\"\npackets = 1";
    for (const std::string bad : {"5", "5.5", "true", "[]", "\"\""}) {
        EXPECT_EQ(only_error("key = " + bad + std::string(kFlow)),
                  "1:7 key: must be the name of a key's file, in quotes, or \"none\"")
            << bad;
    }
    EXPECT_EQ(parse("key = \"5\"" + std::string(kFlow)).key_file, "5");
}

TEST(Experiment, RefusesFlowsThatEndLaterThanTimesCanSay) {
    constexpr std::string_view kFlow = "[[flow]]\nto = \"h\"\nduration = \"600000h\"\n";
    EXPECT_TRUE(errors(kFlow).empty());
    EXPECT_EQ(only_error(std::string(kFlow) + "start = \"700000h\"\n"),
              "1:1 the flow would end more than 146 years after the start of the run");
    EXPECT_EQ(only_error("start_spread = \"1000000h\"\n" + std::string(kFlow) + "start = \"600000h\"\ncount = 9\n"),
              "1:16 start_spread: the flow would end more than 146 years after the start of the run");
}

TEST(Experiment, RefusesMoreFlowsThanItCanNumber) {
    EXPECT_EQ(only_error("[defaults]\nto = \"h\"\npackets = 1\n[[flow]]\n[[flow]]\ncount = 100000"),
              "5:1 more than 100000 flows");
}

TEST(Experiment, AHundredThousandErrorsAreNotAllPrinted) {
    std::string text;
    for (int i = 0; i < 1000; ++i) {
        text += "key" + std::to_string(i) + " = 1\n";
    }
    EXPECT_EQ(errors(text).size(), 101U);
}

TEST(Experiment, RefusesAFileThatIsTooLarge) {
    EXPECT_EQ(only_error(std::string((16U << 20U) + 1, '#')), "0:0 the file is larger than 16 MiB");
}

TEST(Experiment, CanRequireThingsOfEveryFlow) {
    const Experiment experiment = parse(R"(
[require]
loss = 0
rate = "0.1%"
"lateness-p99.9" = "1ms"
[[flow]]
to = "b"
packets = 5
)");
    EXPECT_EQ(to_string(experiment.required), "rate=0.001,lateness-p99.9=1ms,loss=0");
}

TEST(Experiment, RequirementsHaveNamesAndUnits) {
    constexpr const char* kFlow = "[[flow]]\nto = \"b\"\npackets = 5\n";
    EXPECT_THAT(only_error(std::string("[require]\nlatenes-p99 = \"1ms\"\n") + kFlow),
                testing::HasSubstr("did you mean 'lateness-p99'"));
    EXPECT_THAT(only_error(std::string("[require]\nlateness-p99 = 5\n") + kFlow), testing::HasSubstr("2:"));
    EXPECT_THAT(only_error(std::string("require = 5\n") + kFlow), testing::HasSubstr("'require' is a table"));
}

}  // namespace
}  // namespace groma
