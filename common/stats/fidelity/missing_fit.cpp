#include "common/stats/fidelity/missing_fit.hpp"

#include "common/stats/fidelity/fidelity_sum.hpp"

namespace groma {

std::string_view why_no_schedule(const Fidelity& fidelity) {
    return fidelity.greedy ? "it was sent as fast as possible: no times between departures were asked for" : "";
}

std::string_view why_no_fit(const FlowSpec& flow, const Fidelity& fidelity) {
    if (fidelity.fit) {
        return {};
    }
    if (fidelity.greedy) {
        return why_no_schedule(fidelity);
    }
    if (flow.rate_over_time) {
        return "its rate changes with time, so that its gaps have no one distribution: see the gap error";
    }
    if (not GapModel::is_continuous(flow.idt)) {
        return "the gaps that were asked for are constant or of single values: see the gap error";
    }
    if (not GapModel::fits(flow.idt)) {
        return "more than half of the draws are raised to 0 or drawn again";
    }
    if (flow.on_off and not OffTimes::are_known(flow)) {
        return "with ON and OFF periods and the policy `skip`, it is unknown how much OFF time is in a gap";
    }
    if (not fidelity.gap_counts.has_model()) {
        return "the run has too many distributions";
    }
    if (fidelity.gap_counts.model().too_narrow()) {
        return "the distribution is too narrow for a clock of nanoseconds: see the gap error";
    }
    if (flow.on_off) {
        return "fewer than 20 gaps were sent between packets with consecutive numbers, or there are more than 100 OFF "
               "periods a packet";
    }
    return "fewer than 20 gaps were sent between packets with consecutive numbers";
}

void MissingFits::add(std::string_view flow, const Fidelity& fidelity, std::string_view why) {
    const bool decides = has_no_fit(fidelity);
    if (not decided_ and not fidelity.fit and (decides or why_.empty())) {
        why_ = "flow '" + std::string(flow) + "' has none: " + std::string(why);
    }
    decided_ = decided_ or decides;
}

}  // namespace groma
