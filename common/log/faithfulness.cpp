#include "common/log/faithfulness.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/base/counted.hpp"
#include "common/base/counts.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr double kP99 = 0.99;

double lateness_limit_ns(const Fidelity& fidelity) {
    const double floor = static_cast<double>(kLatenessFloor.count());
    const auto pps = fidelity.scheduled_pps();
    return pps ? std::max(floor, kLatenessShareOfGap * 1e9 / *pps) : floor;
}

}  // namespace

std::string_view to_string(Faithfulness result) {
    switch (result) {
        case Faithfulness::as_asked:
            return "as_asked";
        case Faithfulness::within:
            return "within";
        case Faithfulness::not_as_asked:
            break;
    }
    return "not_as_asked";
}

Judgement not_as_asked(const std::string& reason, double severity) {
    return {.result = Faithfulness::not_as_asked, .text = "not as asked: " + reason, .severity = severity};
}

Judgement judge_rate(const Fidelity& fidelity) {
    if (fidelity.greedy) {
        return {.text = std::string(kAsFastAsPossible)};
    }
    // Without rates only lateness can be compared: fewer than two packets, or all at one instant.
    const double error = fidelity.rate_error().value_or(0);
    if (fidelity.packets > 1 and (fidelity.scheduled.empty() or fidelity.sent.empty())) {
        return not_as_asked(
            "its rate is unknown, because it is not known when its first or last packet left (records are missing, or "
            "the clock was set)",
            kLatenessWithin + 1);
    }
    const auto span_ns = static_cast<double>(fidelity.scheduled.duration().count());
    if (error <= kRateAsAsked or error * span_ns <= lateness_limit_ns(fidelity)) {
        return {.result = Faithfulness::as_asked, .text = "as asked", .severity = 0};
    }
    const double severity = error / kRateAsAsked;
    const std::string percent = significant(100 * error, 2);
    if (error <= kRateWithin) {
        return {.result = Faithfulness::within,
                .text = fmt::format("as asked within {} % of the rate", percent),
                .severity = severity};
    }
    const std::string_view way = fidelity.sent_pps() < fidelity.scheduled_pps() ? "below" : "above";
    return not_as_asked(fmt::format("the rate sent was {} % {} the one asked for", percent, way), severity);
}

Judgement judge_lateness(const Fidelity& fidelity) {
    if (fidelity.greedy) {
        return {.text = std::string(kAsFastAsPossible)};
    }
    const double limit = lateness_limit_ns(fidelity);
    // Count packets whose records were lost as later than all others: they may have been.
    const std::uint64_t known = fidelity.lateness_ns.count();
    const double rank = kP99 * static_cast<double>(fidelity.packets);
    if (rank > static_cast<double>(known)) {
        return not_as_asked(fmt::format("it is unknown how late {} of {} left, because their records are missing",
                                        fidelity.packets - known, counted(fidelity.packets, "packet")),
                            kLatenessWithin + 1);
    }
    const double share = known < fidelity.packets ? rank / static_cast<double>(known) : kP99;
    const auto p99 = static_cast<double>(fidelity.lateness_ns.percentile(share));
    if (p99 <= limit) {
        return {.result = Faithfulness::as_asked, .text = "as asked", .severity = 0};
    }
    const std::string late = human_time(Nanos(std::llround(p99)));
    if (p99 <= kLatenessWithin * limit) {
        return {.result = Faithfulness::within, .text = "as asked within " + late, .severity = p99 / limit};
    }
    return not_as_asked(fmt::format("1 % of the packets left {} late or more, {} is allowed", late,
                                    human_time(Nanos(std::llround(limit)))),
                        p99 / limit);
}

void Strangers::add(bool sealed, std::uint64_t forgeries, std::uint64_t others) noexcept {
    add_count(forged, forgeries);
    add_count(unsealed, sealed ? 0 : others);
}

std::uint64_t Strangers::packets() const noexcept {
    std::uint64_t sum = forged;
    add_count(sum, unsealed);
    return sum;
}

std::string in_words(const Strangers& strangers) {
    if (strangers.forged > 0) {
        return fmt::format("{} forged packets came in, none of which was measured", strangers.forged);
    }
    return strangers.unsealed == 0
               ? ""
               : fmt::format("{} of others came in, who can forge those of flows without a seal (--key, or --seal on)",
                             counted(strangers.unsealed, "packet"));
}

bool is_worse(const Judgement& a, const Judgement& b) {
    return a.result != b.result ? a.result > b.result : a.severity > b.severity;
}

}  // namespace groma
