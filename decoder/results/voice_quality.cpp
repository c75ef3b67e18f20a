#include "decoder/results/voice_quality.hpp"

#include <algorithm>
#include <array>

namespace groma {

namespace {

constexpr std::array kVoiceCodecs = {
    VoiceCodec{"voip-g711.1-", 0, 4.3, 10},     VoiceCodec{"voip-g711.2-", 0, 4.3, 20},
    VoiceCodec{"voip-g729.2-", 11, 19, 25},     VoiceCodec{"voip-g729.3-", 11, 19, 35},
    VoiceCodec{"voip-g723.1-", 15, 16.1, 37.5},
};

constexpr double kBest = 93.2;          // R with the defaults of G.107 and no delay
constexpr double kPlayedInTime = 0.99;  // of the packets that arrive
constexpr double kNoticedDelay_ms = 177.3;
constexpr double kNanosPerMilli = 1e6;

}  // namespace

const VoiceCodec* voice_codec(std::string_view profile) {
    const auto found = std::ranges::find_if(
        kVoiceCodecs, [profile](const VoiceCodec& codec) { return profile.starts_with(codec.profile); });
    return found == kVoiceCodecs.end() ? nullptr : &*found;
}

double voice_rating(const VoiceCodec& codec, double mouth_to_ear_ms, double lost, double burst_ratio) {
    const double delay = 0.024 * mouth_to_ear_ms + 0.11 * std::max(mouth_to_ear_ms - kNoticedDelay_ms, 0.0);
    const double percent = 100 * lost;
    const double equipment =
        codec.impairment + (95 - codec.impairment) * percent / (percent / burst_ratio + codec.robustness);
    return kBest - delay - equipment;
}

double opinion_score(double rating) {
    const double r = std::clamp(rating, 0.0, 100.0);
    return std::max(1 + 0.035 * r + r * (r - 60) * (100 - r) * 7e-6, 1.0);
}

std::optional<double> voice_rating(const FlowResult& flow) {
    const VoiceCodec* const codec = voice_codec(flow.spec.profile);
    const auto lost = flow.lost_ratio();
    if (codec == nullptr or not lost or not flow.received or flow.received->delay_ns.count == 0 or
        not flow.clock.absolute()) {
        return std::nullopt;
    }
    const auto& pattern = flow.loss_pattern.counts;
    const auto p = pattern ? pattern->gilbert_p() : std::nullopt;
    const auto r = pattern ? pattern->gilbert_r() : std::nullopt;
    const double changes = p and r ? p->value + r->value : 1;
    const double together = changes > 0 ? std::max(1 / changes, 1.0) : 1;
    const double played_ms = static_cast<double>(flow.received->delay_ns.p99) / kNanosPerMilli;
    return voice_rating(*codec, played_ms + codec->delay_ms, 1 - (1 - *lost) * kPlayedInTime, together);
}

}  // namespace groma
