// Was a flow sent as asked? By its rate and its lateness, the same in the sender's report and in the decoder's
// (docs/reference/metrics.md has the rule and its reasons).
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/stats/fidelity/fidelity.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// Largest relative error of the sent rate for "as asked", and for "within".
inline constexpr double kRateAsAsked = 0.001;
inline constexpr double kRateWithin = 0.01;
/// The p99 of lateness may be a tenth of the flow's mean gap, or this floor if that is more, for "as asked"; ten times
/// that for "within". A rate error that this lateness can explain does not count against a short flow.
inline constexpr double kLatenessShareOfGap = 0.1;
inline constexpr Nanos kLatenessFloor = std::chrono::microseconds(100);
inline constexpr double kLatenessWithin = 10;

enum class Faithfulness : std::uint8_t { as_asked, within, not_as_asked };

/// "as_asked", "within", "not_as_asked".
[[nodiscard]] std::string_view to_string(Faithfulness result);

struct Judgement {
    Faithfulness result = Faithfulness::as_asked;
    std::string text = "as asked";  ///< "as asked", "as asked within 0.2 % of the rate", "not as asked: ..."
    double severity = 0;            ///< how far beyond the limits, to compare judgements with the same result
};

/// The text of what had no schedule, and was sent.
inline constexpr std::string_view kAsFastAsPossible = "as fast as possible";
/// Of a closed loop: so are its packets.
inline constexpr std::string_view kAsRepliesCame = "as replies came";

[[nodiscard]] Judgement not_as_asked(const std::string& reason, double severity);

[[nodiscard]] Judgement judge_rate(const Fidelity& fidelity);
[[nodiscard]] Judgement judge_lateness(const Fidelity& fidelity);

/// Packets of others that came in where a flow's do.
struct Strangers {
    std::uint64_t forged = 0;    ///< of a sealed flow: none was measured
    std::uint64_t unsealed = 0;  ///< at flows without a seal: who sends such can forge the flow's

    /// What came in at a flow.
    void add(bool sealed, std::uint64_t forgeries, std::uint64_t others) noexcept;
    [[nodiscard]] std::uint64_t packets() const noexcept;
};
/// Why such a run is not as asked; empty: there were none.
[[nodiscard]] std::string in_words(const Strangers& strangers);

[[nodiscard]] bool is_worse(const Judgement& a, const Judgement& b);

}  // namespace groma
