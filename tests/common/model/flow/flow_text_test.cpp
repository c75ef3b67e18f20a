#include "common/model/flow/flow_text.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/text/quantity_text.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

std::string refusal(const std::function<void()>& attempt) {
    try {
        attempt();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

std::string idt_refusal(const std::string& text) {
    return refusal([&] { static_cast<void>(parse_idt(text)); });
}

TEST(FlowText, ReadsTimesInEveryUnit) {
    EXPECT_EQ(parse_duration("30ns"), 30ns);
    EXPECT_EQ(parse_duration("250us"), 250us);
    EXPECT_EQ(parse_duration("0.5ms"), 500us);
    EXPECT_EQ(parse_duration("10s"), 10s);
    EXPECT_EQ(parse_duration("2min"), 2min);
    EXPECT_EQ(parse_duration("1h"), 1h);
    EXPECT_EQ(parse_duration("1.5e2us"), 150us);
    EXPECT_EQ(parse_duration("0s"), 0s);
}

TEST(FlowText, ReadsLongTimesToTheNanosecond) {
    EXPECT_EQ(parse_duration("4611686018427387903ns"), Nanos{4611686018427387903});
    EXPECT_EQ(parse_duration(duration_to_string(Nanos{9007199254740993})), Nanos{9007199254740993});
}

TEST(FlowText, WritesTimesInTheLargestUnitThatFits) {
    EXPECT_EQ(duration_to_string(10s), "10s");
    EXPECT_EQ(duration_to_string(1500ms), "1500ms");
    EXPECT_EQ(duration_to_string(0s), "0s");
    EXPECT_EQ(duration_to_string(7ns), "7ns");
}

TEST(FlowText, RefusesATimeThatIsNone) {
    for (const std::string text : {"", "10", "s", "-1s", "1.2.3s", "1 s", "1s ", "nan", "inf", "infs", "0x10s",
                                   "1e999s", "1e9h", "0.1ns", "1kB", "1sec", "1e", "1e+s", "."}) {
        EXPECT_NE(refusal([&] { static_cast<void>(parse_duration(text)); }), "accepted") << text;
    }
}

TEST(FlowText, ReadsBytesWithDecimalAndBinaryUnits) {
    EXPECT_EQ(parse_bytes("1500").count, 1500U);
    EXPECT_EQ(parse_bytes("64KiB").count, 65536U);
    EXPECT_EQ(parse_bytes("10MB").count, 10'000'000U);
    EXPECT_EQ(parse_bytes("1.5kB").count, 1500U);
    EXPECT_EQ(parse_bytes("2GiB").count, std::uint64_t{2} << 30U);
    EXPECT_EQ(parse_bytes("9007199254740993").count, 9007199254740993U);
}

TEST(FlowText, RefusesBytesThatAreNone) {
    for (const std::string text : {"", "1.5", "-3", "10mb", "10 MB", "1e30", "one", "5s"}) {
        EXPECT_NE(refusal([&] { static_cast<void>(parse_bytes(text)); }), "accepted") << text;
    }
}

TEST(FlowText, ReadsEveryFamily) {
    EXPECT_EQ(parse_idt("const:1000pps"), Distribution(Constant{1e6}));
    EXPECT_EQ(parse_idt("const:0.5ms"), Distribution(Constant{5e5}));
    EXPECT_EQ(parse_idt("exp:2kpps"), Distribution(Exponential{5e5}));
    EXPECT_EQ(parse_idt("unif:1ms:3ms"), Distribution(Uniform{1e6, 3e6}));
    EXPECT_EQ(parse_idt("normal:1ms:0.1ms"), Distribution(Normal{1e6, 1e5}));
    EXPECT_EQ(parse_idt("poisson:5ms"), Distribution(Poisson{5, 1e6}));
    EXPECT_EQ(parse_idt("poisson:5ms:10us"), Distribution(Poisson{500, 1e4}));
    EXPECT_EQ(parse_idt("pareto:1.5:0.4ms"), Distribution(Pareto{1.5, 4e5}));
    EXPECT_EQ(parse_idt("cauchy:1ms:10us"), Distribution(Cauchy{1e6, 1e4}));
    EXPECT_EQ(parse_idt("gamma:2:1ms"), Distribution(Gamma{2, 1e6}));
    EXPECT_EQ(parse_idt("weibull:0.8:1ms"), Distribution(Weibull{0.8, 1e6}));
    EXPECT_EQ(parse_idt("lognormal:1ms:0.5"), Distribution(LogNormal{1e6, 0.5}));
    EXPECT_EQ(parse_idt("student:3:1ms:1us"), Distribution(StudentT{3, 1e6, 1e3}));
    EXPECT_EQ(parse_idt("discrete:1ms=1,2kpps=3"), Distribution(Discrete{{1e6, 5e5}, {1, 3}}));
    EXPECT_EQ(parse_idt("mix:0.6*(exp:4ms)+0.4*(const:10ms)"),
              Distribution(Mixture{{0.6, 0.4}, {Exponential{4e6}, Constant{1e7}}}));
}

TEST(FlowText, AUniformRateIsUniformInTheGap) {
    EXPECT_EQ(parse_idt("unif:500pps:2000pps"), Distribution(Uniform{5e5, 2e6}));
}

TEST(FlowText, AValueAloneIsAConstant) {
    EXPECT_EQ(parse_idt("1000pps"), Distribution(Constant{1e6}));
    EXPECT_EQ(parse_size("512"), Distribution(Constant{512}));
    EXPECT_EQ(parse_period("2s"), Distribution(Constant{2e9}));
}

TEST(FlowText, SizesAreBytes) {
    EXPECT_EQ(parse_size("unif:64:1472"), Distribution(Uniform{64, 1472}));
    EXPECT_EQ(parse_size("poisson:500"), Distribution(Poisson{500, 1}));
    EXPECT_EQ(parse_size("discrete:64=7,594=4,1518=1"), Distribution(Discrete{{64, 594, 1518}, {7, 4, 1}}));
}

TEST(FlowText, TellsHowToGiveANumberItsUnit) {
    EXPECT_EQ(idt_refusal("exp:2000"),
              "cannot use 'exp:2000' as inter-departure time: 'exp:2000' has no unit: write exp:2000pps or exp:2000us");
    EXPECT_NE(idt_refusal("normal:1:2").find("write 1s, 1ms or 1us"), std::string::npos);
}

TEST(FlowText, SuggestsTheFamilyThatWasMeant) {
    EXPECT_NE(idt_refusal("expo:1ms").find("did you mean 'exp'?"), std::string::npos);
    EXPECT_NE(idt_refusal("Uniform:1ms:2ms").find("there is no distribution"), std::string::npos);
    EXPECT_NE(idt_refusal("mix").find("needs weighted components"), std::string::npos);
}

TEST(FlowText, SaysThatARateIsNotATimeOfSilence) {
    const std::string what = refusal([] { static_cast<void>(parse_period("const:100pps")); });
    EXPECT_NE(what.find("a rate is not possible here"), std::string::npos) << what;
}

TEST(FlowText, RefusesParametersThatMakeNoSense) {
    for (const std::string text : {"",
                                   ":",
                                   "exp",
                                   "exp:",
                                   "exp:0ms",
                                   "exp:-1ms",
                                   "exp:0pps",
                                   "exp:nanms",
                                   "exp:infpps",
                                   "exp:1e400ms",
                                   "exp:1ms:2ms",
                                   "const:0s",
                                   "const:2000000h",
                                   "unif:1ms",
                                   "unif:2ms:1ms",
                                   "unif:1ms:1ms",
                                   "unif:2000pps:500pps",
                                   "normal:1ms",
                                   "normal:0ms:1ms",
                                   "normal:1ms:0ms",
                                   "normal:1000pps:1ms",
                                   "poisson:1ms:0ms",
                                   "poisson:0ms",
                                   "poisson:x",
                                   "poisson:100h:1ns",
                                   "pareto:0:1ms",
                                   "pareto:1.5",
                                   "pareto:1ms:1ms",
                                   "pareto:1.5:0ms",
                                   "pareto:nan:1ms",
                                   "cauchy:1ms:0s",
                                   "gamma:0:1ms",
                                   "weibull:2000000:1ms",
                                   "lognormal:0ms:1",
                                   "lognormal:1ms:0",
                                   "lognormal:1ms:101",
                                   "student:0:1ms:1ms",
                                   "student:1:1ms",
                                   "discrete:",
                                   "discrete:1ms",
                                   "discrete:1ms=0",
                                   "discrete:1ms=-1",
                                   "discrete:0ms=1",
                                   "discrete:1ms=1,",
                                   "discrete:1ms=1;2ms=1",
                                   "file:",
                                   "mix:",
                                   "mix:exp:1ms",
                                   "mix:1*(exp:1ms",
                                   "mix:1*(exp:1ms)+",
                                   "mix:1*(exp:1ms)-1*(exp:1ms)",
                                   "mix:0*(exp:1ms)",
                                   "mix:1*(mix:1*(exp:1ms))",
                                   "mix:1*(exp:1ms))",
                                   "mix:*(exp:1ms)",
                                   "exp:1ms ",
                                   " exp:1ms",
                                   "exp:1Ms",
                                   "exp:1 ms",
                                   "1000"}) {
        EXPECT_NE(idt_refusal(text), "accepted") << text;
    }
    EXPECT_NE(idt_refusal("discrete:1ms=" + std::string(100'000, '1')), "accepted");
}

TEST(FlowText, ShowsControlCharactersOfABadText) {
    EXPECT_EQ(idt_refusal("exp:\x1b[2J").find('\x1b'), std::string::npos);
}

TEST(FlowText, ReadsTransports) {
    EXPECT_EQ(parse_transport("udp"), Transport::udp);
    EXPECT_EQ(parse_transport("tcp"), Transport::tcp);
    EXPECT_NE(refusal([] { static_cast<void>(parse_transport("UDP")); }).find("did you mean 'udp'?"),
              std::string::npos);
    EXPECT_NE(refusal([] { static_cast<void>(parse_transport("quic")); }), "accepted");
}

TEST(FlowText, ReadsTargets) {
    EXPECT_EQ(parse_target("beta"), (Target{"beta", 9000, {}}));
    EXPECT_EQ(parse_target("10.0.0.2:9100"), (Target{"10.0.0.2", 9100, {}}));
    EXPECT_EQ(parse_target("[::1]:9100"), (Target{"::1", 9100, {}}));
    EXPECT_EQ(parse_target("[::1]"), (Target{"::1", 9000, {}}));
    EXPECT_EQ(parse_target("fe80::1%eth0"), (Target{"fe80::1%eth0", 9000, {}}));
}

TEST(FlowText, ReadsSeveralReceivers) {
    FlowSpec spec;
    spec.target.data_port = 5000;
    set_receivers(spec, "alpha, beta:9100 ,[::1]:7");
    EXPECT_EQ(spec.target, (Target{"alpha", 9000, 5000}));
    EXPECT_EQ(spec.also_to, (std::vector<Target>{{"beta", 9100, {}}, {"::1", 7, {}}}));
    set_receivers(spec, "gamma");
    EXPECT_TRUE(spec.also_to.empty());
    EXPECT_NE(refusal([&] { set_receivers(spec, "alpha,"); }), "accepted");
    EXPECT_NE(refusal([&] { set_receivers(spec, ",alpha"); }), "accepted");
}

TEST(FlowText, ReadsMeters) {
    EXPECT_EQ(parse_meter("one-way"), Meter::one_way);
    EXPECT_EQ(parse_meter("round-trip"), Meter::round_trip);
    EXPECT_NE(refusal([] { static_cast<void>(parse_meter("rtt")); }), "accepted");
}

TEST(FlowText, PoliciesForLatePacketsHaveNames) {
    for (const LatenessPolicy policy : {LatenessPolicy::catch_up, LatenessPolicy::skip, LatenessPolicy::shift}) {
        EXPECT_EQ(parse_lateness(to_string(policy)), policy);
    }
    EXPECT_EQ(parse_lateness("catch-up"), LatenessPolicy::catch_up);
    EXPECT_NE(refusal([] { static_cast<void>(parse_lateness("catch_up")); }), "accepted");
}

TEST(FlowText, ReadsPayloads) {
    for (const std::string text : {"zero", "random", "pattern:00Ff", "file:/etc/x y", "pcap:a.pcap"}) {
        EXPECT_EQ(parse_payload(text), text);
    }
    EXPECT_EQ(parse_payload("file:a/b", {.folder = "/here"}), "file:/here/a/b");
    EXPECT_EQ(parse_payload("pcap:/a/b", {.folder = "/here"}), "pcap:/a/b");
    for (const std::string text : {"", "zeros", "pattern:", "pattern:0", "pattern:0g", "file:", "pcap:", "a\nb"}) {
        EXPECT_NE(refusal([&] { static_cast<void>(parse_payload(text)); }), "accepted") << text;
    }
    EXPECT_NE(refusal([] { static_cast<void>(parse_payload("pattern:" + std::string(4096, '0'))); }), "accepted");
    EXPECT_THROW((void)parse_payload("file:" + std::string(4000, 'a'), {.folder = std::string(200, 'f')}), UsageError);
}

TEST(FlowText, WritesTargetsSoThatTheyCanBeReadBack) {
    for (const Target& target : {Target{"beta", 9000, {}}, Target{"::1", 9100, {}}, Target{"10.0.0.2", 1, {}}}) {
        EXPECT_EQ(parse_target(to_string(target)), target);
    }
}

TEST(FlowText, RefusesTargetsThatAreNone) {
    for (const std::string text : {"", ":9000", "beta:", "beta:0", "beta:65536", "beta:9000x", "[::1", "[::1]9000",
                                   "[]:1", "a b", "a/b", "-x", "a\nb", "beta:+1", "[::1]:"}) {
        EXPECT_NE(refusal([&] { static_cast<void>(parse_target(text)); }), "accepted") << text;
    }
    EXPECT_NE(refusal([] { static_cast<void>(parse_target(std::string(256, 'a'))); }), "accepted");
}

class ValueFile : public testing::Test {
protected:
    void write(const std::string& name, const std::string& text) { texts_["/here/" + name] = text; }

    std::map<std::string, std::string> texts_;  ///< by path
    const NamedFiles files_{
        .folder = "/here",
        .read_lines = [this](const std::string& path, std::size_t longest, const NamedFiles::TakeLine& take) {
            std::istringstream in(texts_.at(path));
            for (std::string line; std::getline(in, line);) {
                take(std::string_view(line).substr(0, longest + 1));
            }
        }};
};

TEST_F(ValueFile, HoldsOneValueALineAndComments) {
    write("gaps.txt", "# measured\n1ms\n\n 2kpps \t# half a millisecond\r\n0s");
    EXPECT_EQ(parse_idt("file:gaps.txt", files_), Distribution(FromFile{"gaps.txt", {1e6, 5e5, 0}}));
    write("sizes.txt", "64\n1472\n");
    EXPECT_EQ(parse_size("file:sizes.txt", files_), Distribution(FromFile{"sizes.txt", {64, 1472}}));
}

TEST_F(ValueFile, CanBeAPartOfAMixture) {
    write("gaps (1).txt", "1ms\n");
    const Distribution mixture = parse_idt("mix:1*(file:gaps (1).txt)+1*(exp:1ms)", files_);
    EXPECT_EQ(mixture, Distribution(Mixture{{1, 1}, {FromFile{"gaps (1).txt", {1e6}}, Exponential{1e6}}}));
    EXPECT_EQ(parse_idt(idt_to_string(mixture), files_), mixture);
}

TEST_F(ValueFile, NamesTheLineOfABadValue) {
    write("gaps.txt", "1ms\n\n12\n");
    const std::string what = refusal([&] { static_cast<void>(parse_idt("file:gaps.txt", files_)); });
    EXPECT_NE(what.find("gaps.txt:3: '12' has no unit"), std::string::npos) << what;
}

TEST_F(ValueFile, IsRefusedWhenEmptyEndlessOrAllZero) {
    write("empty.txt", "# nothing\n");
    write("long.txt", std::string(5000, '1'));
    write("many.txt", [] {
        std::string text;
        for (int i = 0; i < 65537; ++i) {
            text += "1ms\n";
        }
        return text;
    }());
    write("zero.txt", "0s\n0s\n");
    for (const std::string name : {"empty.txt", "long.txt", "many.txt", "zero.txt"}) {
        EXPECT_NE(refusal([&] { static_cast<void>(parse_idt("file:" + name, files_)); }), "accepted") << name;
    }
}

TEST_F(ValueFile, IsLookedForInItsFolderUnlessItsNameIsAPath) {
    EXPECT_EQ(files_.path("gaps.txt"), "/here/gaps.txt");
    EXPECT_EQ(files_.path("/there/gaps.txt"), "/there/gaps.txt");
    EXPECT_EQ((NamedFiles{.folder = "here/"}.path("gaps.txt")), "here/gaps.txt");
    EXPECT_EQ(NamedFiles{}.path("gaps.txt"), "gaps.txt");
}

TEST_F(ValueFile, IsRefusedWhereThereAreNoFiles) {
    const std::string what = refusal([] { static_cast<void>(parse_idt("file:gaps.txt")); });
    EXPECT_NE(what.find("no file can be named here"), std::string::npos) << what;
}

}  // namespace
}  // namespace groma
