#include "common/model/flow/rate_over_time.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <limits>
#include <string>
#include <vector>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::HasSubstr;

NamedFiles rate_file(const std::vector<std::string>& lines) {
    return {.folder = {}, .read_lines = [lines](const std::string&, std::size_t, const NamedFiles::TakeLine& take) {
                for (const std::string& line : lines) {
                    take(line);
                }
            }};
}

std::string refused_rates(const std::string& text, const NamedFiles& files = {}) {
    try {
        static_cast<void>(RateOverTime::parse(text, files));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(RateOverTime, IsWrittenAsARampOrAsSteps) {
    const RateOverTime ramp = RateOverTime::parse("ramp:10Mbps:100Mbps:30s");
    EXPECT_EQ(ramp.unit, RateUnit::payload_bits);
    EXPECT_THAT(ramp.pieces, ElementsAre(RatePiece{30s, 1e7, 1e8}));
    EXPECT_EQ(ramp.peak(), Rate(BitRate{1e8}));
    const RateOverTime steps = RateOverTime::parse("steps:1kpps:500ms, 0pps:2s,200pps:1min");
    EXPECT_EQ(steps.unit, RateUnit::packets);
    EXPECT_THAT(steps.pieces,
                ElementsAre(RatePiece{500ms, 1000, 1000}, RatePiece{2s, 0, 0}, RatePiece{1min, 200, 200}));
    EXPECT_EQ(steps.peak(), Rate(PacketRate{1000}));
}

TEST(RateOverTime, ItsTextReadsBackToTheSame) {
    for (const char* text : {"ramp:10Mbps:100Mbps:30s", "ramp:0pps:3000.1pps:1ms", "steps:1kpps:500ms,0pps:2s",
                             "steps:1.5Gbps:1ns", "ramp:1Mpps:1pps:33333333ns"}) {
        EXPECT_EQ(to_string(RateOverTime::parse(text)), text);
    }
}

TEST(RateOverTime, AFileHasALineForEachStep) {
    const RateOverTime rates = RateOverTime::parse(
        "file:day.txt", rate_file({"# seconds rate", "0 10Mbps", "", "2.5\t50Mbps # more", "7 0bps"}));
    EXPECT_EQ(rates.file, "day.txt");
    EXPECT_EQ(to_string(rates), "file:day.txt");
    EXPECT_THAT(rates.pieces,
                ElementsAre(RatePiece{2500ms, 1e7, 1e7}, RatePiece{4500ms, 5e7, 5e7}, RatePiece{1ns, 0, 0}));
}

TEST(RateOverTime, ALineThatIsWrongIsNamed) {
    EXPECT_THAT(refused_rates("file:f", rate_file({"0 1pps", "1"})),
                HasSubstr("f:2: write a time in seconds and a rate"));
    EXPECT_THAT(refused_rates("file:f", rate_file({"1 1pps"})),
                HasSubstr("f:1: the first rate must be that of second 0"));
    EXPECT_THAT(refused_rates("file:f", rate_file({"0 1pps", "2 2pps", "2 3pps"})),
                HasSubstr("f:3: the times must ascend"));
    EXPECT_THAT(refused_rates("file:f", rate_file({"0 1pps", "1 1kbps"})), HasSubstr("f:2: rates of packets"));
    EXPECT_THAT(refused_rates("file:f", rate_file({"0 1pps", "-1 1pps"})), HasSubstr("f:2: "));
    EXPECT_THAT(refused_rates("file:f", rate_file({"0 1pps", "1e300 1pps"})), HasSubstr("f:2: "));
    EXPECT_THAT(refused_rates("file:f", rate_file({"# nothing"})), HasSubstr("f has no values"));
    EXPECT_THAT(refused_rates("file:f"), HasSubstr("no file can be named here"));
    EXPECT_THAT(refused_rates("file:"), HasSubstr("needs a path"));
    EXPECT_THAT(refused_rates("file:f", rate_file(std::vector<std::string>(65'537, "0 1pps"))), HasSubstr("ascend"));
}

TEST(RateOverTime, WhatIsNotOneSaysWhatToWrite) {
    EXPECT_THAT(refused_rates("ramp:10Mbps:100Mbps"), HasSubstr("write ramp:FROM:TO:TIME"));
    EXPECT_THAT(refused_rates("ramp:10:100Mbps:1s"), HasSubstr("'10' is not a rate"));
    EXPECT_THAT(refused_rates("ramp:10Mbps:100pps:1s"), HasSubstr("cannot be mixed"));
    EXPECT_THAT(refused_rates("ramp:10Mbps:100Mbps:1"), HasSubstr("has no unit"));
    EXPECT_THAT(refused_rates("ramp:10Mbps:100Mbps:0s"), HasSubstr("a time of 0"));
    EXPECT_THAT(refused_rates("ramp:0pps:0pps:1s"), HasSubstr("never sends"));
    EXPECT_THAT(refused_rates("ramp:-1pps:1pps:1s"), HasSubstr("-1pps"));
    EXPECT_THAT(refused_rates("ramp:nanpps:1pps:1s"), HasSubstr("cannot use 'ramp:nanpps:1pps:1s'"));
    EXPECT_THAT(refused_rates("ramp:1e300bps:1bps:1s"), HasSubstr("out of range"));
    EXPECT_THAT(refused_rates("steps:"), HasSubstr("write steps:RATE:TIME"));
    EXPECT_THAT(refused_rates("steps:1pps:1s,"), HasSubstr("write steps:RATE:TIME"));
    EXPECT_THAT(refused_rates("steps:1pps:100000h,1pps:1000000h,1pps:1000000h"), HasSubstr("146 years together"));
    std::string many = "steps:1pps:1s";
    for (int i = 0; i < 256; ++i) {
        many += ",1pps:1s";
    }
    EXPECT_THAT(refused_rates(many), HasSubstr("put more in a file"));
    EXPECT_THAT(refused_rates("steps:" + std::string(20'000, '1')), HasSubstr("it is too long"));
}

TEST(RateOverTime, ValuesFromElsewhereAreChecked) {
    const auto error_of_piece = [](RatePiece piece) { return RateOverTime{RateUnit::packets, {piece}, ""}.error(); };
    EXPECT_EQ(error_of_piece({1s, 1, 2}), "");
    EXPECT_THAT(error_of_piece({1s, -1, 2}), HasSubstr("out of range"));
    EXPECT_THAT(error_of_piece({1s, 1, std::numeric_limits<double>::infinity()}), HasSubstr("out of range"));
    EXPECT_THAT(error_of_piece({1s, std::numeric_limits<double>::quiet_NaN(), 1}), HasSubstr("out of range"));
    EXPECT_THAT(error_of_piece({1s, 1e-300, 1}), HasSubstr("out of range"));
    EXPECT_THAT(error_of_piece({-1s, 1, 1}), HasSubstr("times are out of range"));
    EXPECT_THAT(error_of_piece({Nanos::max(), 1, 1}), HasSubstr("times are out of range"));
    EXPECT_THAT((RateOverTime{RateUnit::packets, {}, ""}.error()), HasSubstr("between 1 and 256"));
    EXPECT_THAT((RateOverTime{RateUnit::packets, {{1s, 1, 2}, {1s, 2, 2}}, ""}.error()), HasSubstr("ramp by itself"));
    EXPECT_THAT((RateOverTime{RateUnit::packets, {{1s, 1, 1}}, "a\nb"}.error()), HasSubstr("control characters"));
}

TEST(RateOverTime, ItsMeanIsThatOfTheTimeAskedFor) {
    const RateOverTime ramp = RateOverTime::parse("ramp:0pps:100pps:10s");
    EXPECT_DOUBLE_EQ(ramp.mean_share(10s), 0.5);
    EXPECT_DOUBLE_EQ(ramp.mean_share(5s), 0.25);
    EXPECT_DOUBLE_EQ(ramp.mean_share(20s), 0.75);
    const RateOverTime steps = RateOverTime::parse("steps:10pps:1s,20pps:1s");
    EXPECT_DOUBLE_EQ(steps.mean_share(2s), 0.75);
    EXPECT_DOUBLE_EQ(steps.mean_share(4s), 0.875);
}

}  // namespace
}  // namespace groma
