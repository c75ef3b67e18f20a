#include "common/model/experiment/batch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_text.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

const std::string kFlow = "duration = \"5s\"\n[[flow]]\nto = \"h\"\nidt = \"exp:10pps\"\n";

Batch parse(const std::string& text) {
    std::optional<Batch> batch = parse_batch(text, "grid.toml", {}, 42);
    return batch.value();
}

std::vector<std::string> names(const Batch& batch) {
    std::vector<std::string> names;
    for (const BatchRun& run : batch.runs()) {
        names.push_back(run.name);
    }
    return names;
}

/// "LINE:COLUMN WHAT" of each error.
std::vector<std::string> errors(const std::string& text) {
    std::vector<std::string> lines;
    try {
        static_cast<void>(parse(text));
    } catch (const ParseError& wrong) {
        for (const TextError& error : wrong.errors()) {
            lines.push_back(std::to_string(error.line) + ":" + std::to_string(error.column) + " " + error.what);
        }
    }
    return lines;
}

TEST(Batch, IsEveryCombinationWithTheLastKeyChangingFastest) {
    const Batch batch = parse(kFlow + "[batch]\ntransport = [\"udp\", \"tcp\"]\nsize = [64, 512]\n");
    EXPECT_THAT(names(batch), ElementsAre("001-udp-size64", "002-udp-size512", "003-tcp-size64", "004-tcp-size512"));
    const Experiment last = batch.experiment(batch.runs().back());
    EXPECT_EQ(last.flows.at(0).transport, Transport::tcp);
    EXPECT_EQ(last.flows.at(0).size, Distribution(Constant{512}));
    EXPECT_EQ(last.name, "grid-004-tcp-size512");
    EXPECT_THAT(batch.values(batch.runs().back()), ElementsAre("tcp", "512"));
}

TEST(Batch, RepetitionsVaryWhereTheyAreWritten) {
    EXPECT_THAT(names(parse(kFlow + "[batch]\nsize = [64, 512]\nrepetitions = 2\n")),
                ElementsAre("001-size64-r1", "002-size64-r2", "003-size512-r1", "004-size512-r2"));
    EXPECT_THAT(names(parse(kFlow + "[batch]\nrepetitions = 2\nsize = [64, 512]\n")),
                ElementsAre("001-size64-r1", "002-size512-r1", "003-size64-r2", "004-size512-r2"));
}

TEST(Batch, AKeyWithOneValueNeedsNoListAndIsNotInTheNames) {
    const Batch batch = parse(kFlow + "[batch]\nduration = \"2s\"\nflows = [3]\nrate = [\"1kpps\", \"2kpps\"]\n");
    EXPECT_THAT(names(batch), ElementsAre("001-rate1kpps", "002-rate2kpps"));
    const Experiment experiment = batch.experiment(batch.runs().front());
    EXPECT_EQ(experiment.flows.size(), 3U);
    EXPECT_EQ(experiment.flows.at(2).stop.duration, 2s);
    EXPECT_EQ(batch.runs().front().planned, 2s);
}

TEST(Batch, WinsOverFlowsTheirProfilesAndDefaults) {
    const Batch batch = parse(
        "[defaults]\nsize = 100\nto = \"h\"\nduration = \"1s\"\n[[flow]]\nprofile = \"voip-g711.1-rtp\"\n"
        "[[flow]]\nsize = 200\nrate = \"5pps\"\n[batch]\nsize = [300]\nidt = [\"const:1ms\"]\n");
    for (const FlowSpec& flow : batch.experiment(batch.runs().front()).flows) {
        EXPECT_EQ(flow.size, Distribution(Constant{300}));
        EXPECT_EQ(flow.idt, Distribution(Constant{1e6}));
    }
}

TEST(Batch, ARateKeepsTheFamilyOfEachFlow) {
    const Batch batch = parse(kFlow + "[[flow]]\nto = \"h\"\nidt = \"unif:1ms:3ms\"\n[batch]\nrate = [\"1000pps\"]\n");
    const Experiment experiment = batch.experiment(batch.runs().front());
    EXPECT_EQ(experiment.flows.at(0).idt, Distribution(Exponential{1e6}));
    EXPECT_EQ(experiment.flows.at(1).idt, Distribution(Uniform{0.5e6, 1.5e6}));
}

TEST(Batch, ARateInBitsIsThatOfThePayloadWithTheSizeOfTheRun) {
    const Batch batch = parse(kFlow + "[batch]\nrate = [\"8Mbps\"]\nsize = [500, 1000]\n");
    EXPECT_EQ(batch.experiment(batch.runs().at(0)).flows.at(0).idt, Distribution(Exponential{500'000}));
    EXPECT_EQ(batch.experiment(batch.runs().at(1)).flows.at(0).idt, Distribution(Exponential{1'000'000}));
}

TEST(Batch, EveryRunHasASeedOfItsOwnWhichStaysWhenTheGridGrows) {
    const Batch batch = parse(kFlow + "[batch]\nsize = [64, 512]\nrepetitions = 3\n");
    std::set<std::uint64_t> seeds;
    for (const BatchRun& run : batch.runs()) {
        EXPECT_EQ(batch.experiment(run).seed, run.seed);
        EXPECT_EQ(batch.experiment(run).flows.at(0).seed, run.seed);
        seeds.insert(run.seed);
    }
    EXPECT_EQ(seeds.size(), 6U);
    const Batch grown = parse(kFlow + "[batch]\nrepetitions = 4\nsize = [1000, 512, 64]\n");
    for (const BatchRun& run : grown.runs()) {
        seeds.insert(run.seed);
    }
    EXPECT_EQ(seeds.size(), 12U);
    EXPECT_EQ(batch.runs().at(4).name, "005-size512-r2");
    EXPECT_EQ(batch.runs().at(4).seed, grown.runs().at(4).seed);  // "005-size512-r2" there as well
}

TEST(Batch, AnotherSeedOfTheFileMakesOtherSeedsAndAnotherShuffledOrder) {
    const std::string text = kFlow + "[batch]\nsize = [1, 2, 3, 4, 5, 6, 7, 8, 9]\norder = \"shuffled\"\n";
    const Batch one = parse("seed = 1\n" + text);
    const Batch same = parse("seed = 1\n" + text);
    const Batch two = parse("seed = 2\n" + text);
    EXPECT_EQ(one.runs(), same.runs());
    EXPECT_NE(names(one), names(two));
    EXPECT_NE(names(one), names(parse(text.substr(0, text.find("order")))));
    std::set<std::string> sizes;
    for (const BatchRun& run : one.runs()) {
        sizes.insert(one.values(run).front());
    }
    EXPECT_EQ(sizes.size(), 9U);
}

TEST(Batch, FolderNamesAreHarmlessAndBounded) {
    const Batch batch =
        parse(kFlow + "[batch]\nsize = [\"unif:64:512\", \"discrete:64=7,594=4,1400=1,1401=2,1402=3\"]\n");
    EXPECT_THAT(names(batch), ElementsAre("001-sizeunif_64_512", "002-sizediscrete_64_7_594_4_1400"));
}

TEST(Batch, AFileWithoutOneIsNone) {
    EXPECT_FALSE(parse_batch(kFlow, "f.toml", {}, 1));
}

TEST(Batch, AnExperimentOfOneRunRefusesItWithAdvice) {
    try {
        static_cast<void>(parse_experiment(kFlow + "[batch]\nsize = [1]\n", "grid.toml", {}, 1));
        FAIL() << "a batch was taken for one run";
    } catch (const ParseError& wrong) {
        EXPECT_THAT(wrong.what(), testing::HasSubstr("grid.toml:5:1: [batch] makes many runs"));
        EXPECT_THAT(wrong.what(), testing::HasSubstr("groma-mpi"));
    }
}

TEST(Batch, AllErrorsAreReportedTogetherWithTheirPlaces) {
    EXPECT_THAT(errors(kFlow + R"([batch]
rates = ["1pps"]
size = []
transport = ["udp", "udp"]
flows = 1.5
order = "random"
repetitions = [1, 2]
idt = "1ms"
rate = "1pps"
)"),
                ElementsAre("6:1 unknown key 'rates'; did you mean 'rate'?", "7:1 size: needs at least one value",
                            "8:21 transport: udp is in the list twice",
                            "9:9 flows: must be a whole number or text in quotes, not a number with a decimal point",
                            "10:9 order: there is no order 'random' (there are: \"as written\" \"shuffled\")",
                            "11:16 repetitions: has one value, not a list",
                            "13:1 'rate' and 'idt' cannot both be in [batch]: each sets the inter-departure times"));
}

TEST(Batch, BadValuesAreReportedOnceAtTheirPlaceHoweverManyFlowsAndCombinationsHaveThem) {
    EXPECT_THAT(
        errors(kFlow + "[[flow]]\nto = \"h\"\n[batch]\nrepetitions = 9\nrate = [\"1pps\", \"2\"]\nsize = [1, 2, 3]\n"),
        ElementsAre("9:17 rate: '2' is not a rate: use a number with pps kpps Mpps (packets) or bps kbps Mbps "
                    "Gbps (payload)"));
}

TEST(Batch, AnErrorOfOneCombinationNamesIt) {
    EXPECT_THAT(errors(kFlow + "[batch]\nsize = [64, 100000]\ntransport = [\"udp\", \"tcp\"]\n"),
                ElementsAre(testing::AllOf(testing::StartsWith("2:1 a payload of 100000 bytes cannot be sent over udp"),
                                           testing::EndsWith("(with size 100000, transport udp)"))));
}

TEST(Batch, ARateNeedsAMeanToChange) {
    EXPECT_THAT(errors("[[flow]]\nto = \"h\"\npackets = 1\nidt = \"cauchy:1ms:1ms\"\n[batch]\nrate = \"5pps\"\n"),
                ElementsAre(testing::StartsWith("6:8 rate: the inter-departure times of this flow have no mean")));
}

TEST(Batch, IsBounded) {
    std::string list = "size = [1";
    for (int i = 2; i <= 200; ++i) {
        list += ", " + std::to_string(i);
    }
    EXPECT_THAT(errors(kFlow + "[batch]\n" + list + "]\nrepetitions = 51\n"),
                ElementsAre("5:1 [batch] makes more than 10000 runs"));
    EXPECT_THAT(errors(kFlow + "[batch]\n" + list + "]\nflows = 6000\n"),
                ElementsAre("5:1 [batch] makes more than 1000000 flows in all its combinations"));
}

TEST(Batch, ThatIsNoTableIsAError) {
    EXPECT_THROW(static_cast<void>(parse_experiment("batch = 3\n" + kFlow, "f", {}, 1)), ParseError);
}

}  // namespace
}  // namespace groma
