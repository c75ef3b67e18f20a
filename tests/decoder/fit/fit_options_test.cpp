#include "decoder/fit/fit_options.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

std::string refusal(const std::vector<std::string>& arguments) {
    try {
        static_cast<void>(parse_fit_options(arguments));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(FitOptions, HaveUsualValues) {
    const FitOptions options = parse_fit_options(std::vector<std::string>{"a.pcap"});
    EXPECT_EQ(options.fewest, 100U);
    EXPECT_EQ(options.top, 100U);
    EXPECT_EQ(options.lags, 100U);
    EXPECT_EQ(options.constant_within, 0.01);
    EXPECT_TRUE(options.prints_text());
}

TEST(FitOptions, AreReadAsTheyAreWritten) {
    const FitOptions options = parse_fit_options(std::vector<std::string>{"a.pcap",
                                                                          "b.glog",
                                                                          "--flow",
                                                                          "3,1",
                                                                          "--fewest",
                                                                          "20",
                                                                          "--top",
                                                                          "5",
                                                                          "--lags=7",
                                                                          "--filter",
                                                                          "udp port 9",
                                                                          "--constant-within",
                                                                          "5%",
                                                                          "--profile=p.toml",
                                                                          "--empirical",
                                                                          "--to",
                                                                          "10.0.0.9:9100",
                                                                          "--sqlite",
                                                                          "f.sqlite",
                                                                          "--json=f.json",
                                                                          "--acks",
                                                                          "--force"});
    EXPECT_EQ(options.files, (std::vector<std::string>{"a.pcap", "b.glog"}));
    EXPECT_EQ(options.flows, (std::set<std::uint32_t>{1, 3}));
    EXPECT_EQ(options.fewest, 20U);
    EXPECT_EQ(options.top, 5U);
    EXPECT_EQ(options.lags, 7U);
    EXPECT_EQ(options.filter, "udp port 9");
    EXPECT_DOUBLE_EQ(options.constant_within, 0.05);
    EXPECT_EQ(options.profile, "p.toml");
    EXPECT_EQ(options.to, "10.0.0.9:9100");
    EXPECT_TRUE(options.bare and options.empirical and options.force);
}

TEST(FitOptions, ErrorsAreAllNamed) {
    const std::string said = refusal({"--fewest", "2", "--top", "x", "--flow", "0", "--constant-within", "200%"});
    EXPECT_THAT(said, HasSubstr("no file given"));
    EXPECT_THAT(said, HasSubstr("--fewest: '2' is not a whole number from 3"));
    EXPECT_THAT(said, HasSubstr("--top: 'x'"));
    EXPECT_THAT(said, HasSubstr("'0' is not a flow number"));
    EXPECT_THAT(said, HasSubstr("--constant-within: '200%'"));
}

TEST(FitOptions, ContradictionsAreRefused) {
    EXPECT_THAT(refusal({"a", "--json", "--profile"}), HasSubstr("cannot both go to standard output"));
    EXPECT_THAT(refusal({"-", "-"}), HasSubstr("given twice"));
    EXPECT_THAT(refusal({"a", "--sqlite", "-"}), HasSubstr("cannot go to standard output"));
    EXPECT_THAT(refusal({"a", "--empirical"}), HasSubstr("requires --profile"));
    EXPECT_THAT(refusal({"a", "--to", "host"}), HasSubstr("requires --profile"));
    EXPECT_THAT(refusal({"a", "--force"}), HasSubstr("--force requires"));
}

}  // namespace
}  // namespace groma
