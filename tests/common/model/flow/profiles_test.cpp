#include "common/model/flow/profiles.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/flow/flow_text.hpp"

namespace groma {
namespace {

TEST(Profiles, VoiceHasThePacketRatesAndSizesOfItsCodec) {
    const std::vector<std::pair<std::string, double>> sizes = {
        {"voip-g711.1-rtp", 92},      {"voip-g711.1-crtp", 82},      {"voip-g711.1-rtp-vad", 64},
        {"voip-g711.1-crtp-vad", 54}, {"voip-g711.2-rtp", 172},      {"voip-g711.2-crtp", 162},
        {"voip-g711.2-rtp-vad", 116}, {"voip-g711.2-crtp-vad", 106}, {"voip-g729.2-rtp", 32},
        {"voip-g729.2-crtp", 22},     {"voip-g729.2-rtp-vad", 25},   {"voip-g729.2-crtp-vad", 15},
        {"voip-g729.3-rtp", 42},      {"voip-g729.3-crtp", 32},      {"voip-g729.3-rtp-vad", 31},
        {"voip-g729.3-crtp-vad", 21}, {"voip-g723.1-rtp", 42},       {"voip-g723.1-crtp", 32},
        {"voip-g723.1-rtp-vad", 31},  {"voip-g723.1-crtp-vad", 21}};
    for (const auto& [name, size] : sizes) {
        EXPECT_EQ(profile(name).size, Distribution(Constant{size})) << name;
    }
    EXPECT_EQ(profile("voip-g711.1-rtp").idt, Distribution(Constant{1e7}));
    EXPECT_EQ(profile("voip-g729.3-rtp").idt, parse_idt("33pps"));
}

TEST(Profiles, MeansAreThoseOfTheModels) {
    EXPECT_NEAR(*mean(profile("quake3").idt), (0.6 * 4.29 + 0.4 * 10.75) * 1e6, 1e-3);
    EXPECT_NEAR(*mean(profile("dns").size), 209.5, 1e-9);
    EXPECT_NEAR(*mean(profile("telnet").size), 2.145, 1e-9);
    EXPECT_NEAR(*mean(profile("cs-active").size), 0.3732 * 34.8352 + 0.6268 * 49.4904, 1e-9);
    EXPECT_EQ(mean(profile("telnet").idt), std::nullopt);
    EXPECT_EQ(profile("telnet").transport, Transport::tcp);
}

TEST(Profiles, AllCanBeSentAndNameTheirSource) {
    std::set<std::string> names;
    for (const Profile& candidate : profiles()) {
        FlowSpec spec;
        spec.target = parse_target("h");
        spec.stop.packets = 1;
        apply(candidate, spec);
        EXPECT_EQ(validate(spec), std::vector<std::string>{}) << candidate.name;
        EXPECT_EQ(spec.profile, candidate.name);
        EXPECT_FALSE(candidate.source.empty() or candidate.summary.empty()) << candidate.name;
        names.insert(candidate.name);
    }
    EXPECT_EQ(names.size(), 25U);
}

TEST(Profiles, ATypingErrorGetsASuggestion) {
    try {
        static_cast<void>(profile("quake"));
        FAIL();
    } catch (const UsageError& error) {
        EXPECT_NE(std::string(error.what()).find("did you mean 'quake3'?"), std::string::npos) << error.what();
    }
}

}  // namespace
}  // namespace groma
