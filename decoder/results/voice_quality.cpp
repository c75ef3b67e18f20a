#include "decoder/results/voice_quality.hpp"

#include <algorithm>
#include <array>

#include "common/model/flow/profiles.hpp"

namespace groma {

namespace {

constexpr std::array kVoiceCodecs = {
    VoiceCodec{"voip-g711.1-", 0, 4.3, 10},     VoiceCodec{"voip-g711.2-", 0, 4.3, 20},
    VoiceCodec{"voip-g729.2-", 11, 19, 25},     VoiceCodec{"voip-g729.3-", 11, 19, 35},
    VoiceCodec{"voip-g723.1-", 15, 16.1, 37.5},
};

constexpr double kBest = 93.2;  // R with the defaults of G.107 and no delay
constexpr double kNoticedDelay_ms = 177.3;
constexpr double kNanosPerMilli = 1e6;
/// Of the clocks' offset, and so of each delay: this much changes R by 0.24, and by 1.34 above kNoticedDelay_ms.
constexpr Nanos kMostDelayError{10'000'000};

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

namespace {

/// Of delays, the share above one of them.
double share_above(const Spread& delays, std::int64_t played) {
    std::uint64_t late = 0;
    for (const LogHistogram::Bin& bin : delays.bins()) {
        late += bin.low > played ? bin.count : 0;
    }
    return static_cast<double>(late) / static_cast<double>(delays.count);
}

bool is_as_its_profile(const FlowSpec& spec) {
    const auto profile = std::ranges::find(profiles(), spec.profile, &Profile::name);
    return profile != profiles().end() and spec.idt == profile->idt and spec.size == profile->size and
           not spec.rate_over_time;
}

}  // namespace

std::optional<double> voice_rating(const FlowResult& flow) {
    const VoiceCodec* const codec = voice_codec(flow.spec.profile);
    const auto lost = flow.lost_ratio();
    if (codec == nullptr or not is_as_its_profile(flow.spec) or not lost or not flow.received or
        not flow.clock.absolute() or flow.clock.bound > kMostDelayError or not flow.loss_pattern.counts) {
        return std::nullopt;
    }
    const ReceivedFigures& received = *flow.received;
    const Spread& delays = received.delay_ns;
    if (delays.count == 0 or delays.min < 0 or received.records_missing > 0 or received.undated > 0) {
        return std::nullopt;
    }
    const auto p = flow.loss_pattern.counts->gilbert_p();
    const auto r = flow.loss_pattern.counts->gilbert_r();
    const double changes = p and r ? p->value + r->value : 1;
    const double together = changes > 0 ? std::max(1 / changes, 1.0) : 1;
    std::optional<double> best;
    for (const std::int64_t played : {delays.p50, delays.p90, delays.p99, delays.p999, delays.max}) {
        const double missing = 1 - (1 - *lost) * (1 - share_above(delays, played));
        const double rating =
            voice_rating(*codec, static_cast<double>(played) / kNanosPerMilli + codec->delay_ms, missing, together);
        best = std::max(best.value_or(rating), rating);
    }
    return best;
}

}  // namespace groma
