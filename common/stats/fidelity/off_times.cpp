#include "common/stats/fidelity/off_times.hpp"

#include "common/model/flow/flow_text.hpp"

namespace groma {

bool OffTimes::are_known(const FlowSpec& flow) {
    return flow.on_off and flow.lateness != LatenessPolicy::skip and validate(flow).empty();
}

std::optional<Nanos> OffTimes::before(std::uint64_t seq) {
    if (drawn_ > seq) {
        return std::nullopt;
    }
    Nanos at_previous = at_last_;
    while (not over_ and drawn_ <= seq) {
        at_previous = at_last_;
        over_ =
            not schedule_.next() or schedule_.off_periods() > kMostPeriodsInAdvance + kMostPeriodsPerPacket * drawn_;
        at_last_ = schedule_.off_time();
        ++drawn_;
    }
    return over_ or seq == 0 ? std::nullopt : std::optional(at_last_ - at_previous);
}

}  // namespace groma
