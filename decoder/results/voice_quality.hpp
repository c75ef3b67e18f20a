// What a listener makes of a flow of voice: the E-model [ITU-T G.107], as docs/reference/metrics.md says.
#pragma once

#include <optional>
#include <string_view>

#include "decoder/results/results.hpp"

namespace groma {

/// How a codec suffers from loss [ITU-T G.113, appendix I], and what it adds to the delay.
struct VoiceCodec {
    std::string_view profile;  ///< first part of the names of its profiles
    double impairment = 0;     ///< Ie, without loss
    double robustness = 0;     ///< Bpl: percent of lost packets
    double delay_ms = 0;       ///< of a packet's voice, and what the codec looks ahead
};

/// Null: the profile is not one of voice.
[[nodiscard]] const VoiceCodec* voice_codec(std::string_view profile);

/// The transmission rating R, without bounds: 93.2 at best. `lost`: share of the packets; `burst_ratio`: 1 for
/// independent losses, more if they come together.
[[nodiscard]] double voice_rating(const VoiceCodec& codec, double mouth_to_ear_ms, double lost, double burst_ratio);

/// The mean opinion score of conversation that belongs to a rating: 1 to 4.5 [ITU-T G.107, annex B].
[[nodiscard]] double opinion_score(double rating);

/// The rating of a flow whose receiver plays each packet after the best of these delays: p50, p90, p99, p99.9, max;
/// later ones count as lost. Empty if it is not voice as its profile has it, and if loss, its pattern or delay are
/// unknown, or delays may be wrong by more than 10 ms.
[[nodiscard]] std::optional<double> voice_rating(const FlowResult& flow);

}  // namespace groma
