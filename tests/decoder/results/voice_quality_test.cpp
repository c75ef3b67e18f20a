#include "decoder/results/voice_quality.hpp"

#include <gtest/gtest.h>

#include "common/model/flow/profiles.hpp"
#include "tests/decoder/sample_logs.hpp"

namespace groma {
namespace {

TEST(VoiceCodec, IsKnownOfEveryProfileOfVoice) {
    int found = 0;
    for (const Profile& profile : profiles()) {
        EXPECT_EQ(voice_codec(profile.name) != nullptr, profile.name.starts_with("voip-")) << profile.name;
        found += voice_codec(profile.name) != nullptr ? 1 : 0;
    }
    EXPECT_GT(found, 10);
    EXPECT_EQ(voice_codec(""), nullptr);
}

TEST(VoiceRating, HasTheValuesOfTheRecommendations) {
    const VoiceCodec& g711 = *voice_codec("voip-g711.2-rtp");
    const VoiceCodec& g729 = *voice_codec("voip-g729.2-crtp-vad");
    EXPECT_DOUBLE_EQ(voice_rating(g711, 0, 0, 1), 93.2);
    EXPECT_NEAR(opinion_score(93.2), 4.41, 0.005);  // the best that G.107 has
    EXPECT_DOUBLE_EQ(voice_rating(g729, 0, 0, 1), 82.2);
    // Cole and Rosenbluth 2001: 0.024 d, and 0.11 of what is beyond 177.3 ms.
    EXPECT_NEAR(voice_rating(g711, 100, 0, 1), 93.2 - 2.4, 1e-9);
    EXPECT_NEAR(voice_rating(g711, 277.3, 0, 1), 93.2 - 0.024 * 277.3 - 11, 1e-9);
    // G.107: Ie,eff = Ie + (95 - Ie) Ppl / (Ppl / BurstR + Bpl).
    EXPECT_NEAR(voice_rating(g729, 0, 0.02, 1), 93.2 - (11 + 84 * 2 / (2.0 + 19)), 1e-9);
    EXPECT_LT(voice_rating(g729, 0, 0.02, 2), voice_rating(g729, 0, 0.02, 1));
}

TEST(OpinionScore, IsFromOneToFourAndAHalf) {
    EXPECT_EQ(opinion_score(-20), 1);
    EXPECT_EQ(opinion_score(0), 1);
    EXPECT_EQ(opinion_score(5), 1);
    EXPECT_NEAR(opinion_score(50), 2.58, 0.005);
    EXPECT_NEAR(opinion_score(70), 3.60, 0.005);
    EXPECT_NEAR(opinion_score(80), 4.02, 0.005);
    EXPECT_EQ(opinion_score(100), 4.5);
    EXPECT_EQ(opinion_score(200), 4.5);
}

SamplePair of_voice(SamplePair pair) {
    for (SampleLog* log : {&pair.sender, &pair.receiver}) {
        FlowSpec& spec = log->metadata.flows.front().spec;
        spec.profile = "voip-g711.1-rtp";
        apply(profile(spec.profile), spec);
    }
    return pair;
}

TEST(VoiceRating, OfAPerfectPathHasTheDelayOnly) {
    const SamplePair pair =
        of_voice(pair_of({sent_packet(0, 0), sent_packet(1, 10'000'000)},
                         {received_packet(0, 0, 5'000'000), received_packet(1, 10'000'000, 5'000'000)}));
    EXPECT_NEAR(voice_rating(only_flow(pair.analyzed())).value(), 93.2 - 0.024 * 15, 0.01);
}

TEST(VoiceRating, OfAFlowNeedsItsProfileItsLossAndItsDelay) {
    EXPECT_FALSE(voice_rating(only_flow(small_pair().analyzed())));
    SamplePair pair = of_voice(small_pair());
    // One of three lost, each loss alone (p + r is 1 and more); delays of 1 and 3 ms, and 10 ms of a packet's voice.
    EXPECT_NEAR(voice_rating(only_flow(pair.analyzed())).value(),
                voice_rating(*voice_codec("voip-g711.1-"), 13, 1 / 3.0, 1), 0.01);
    SamplePair faster = pair;
    faster.sender.metadata.flows.front().spec.idt = Constant{1e6};
    EXPECT_FALSE(voice_rating(only_flow(faster.analyzed()))) << "not as its profile has it";
    pair.receiver.metadata.boot_id = "another";
    EXPECT_FALSE(voice_rating(only_flow(pair.analyzed()))) << "of clocks that nothing relates";
}

TEST(VoiceRating, NeedsDelaysWhoseErrorIsSmall) {
    FlowResult flow = only_flow(of_voice(small_pair()).analyzed());
    flow.clock.kind = ClockState::Kind::probed;
    flow.clock.bound = Nanos{10'000'000};
    EXPECT_TRUE(voice_rating(flow));
    flow.clock.bound = Nanos{10'000'001};
    EXPECT_FALSE(voice_rating(flow));
}

}  // namespace
}  // namespace groma
