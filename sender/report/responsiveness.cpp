#include "sender/report/responsiveness.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr double kKept = 0.95;  ///< of the values (draft-ietf-ippm-responsiveness: trimmed mean percentage)

/// Nothing without such times.
std::optional<double> times_in_a_minute(const LogHistogram& times_ns) {
    constexpr double kMinuteNs = 60e9;
    const double mean_ns = times_ns.trimmed_mean(kKept);
    return mean_ns > 0 ? std::optional(kMinuteNs / mean_ns) : std::nullopt;
}

/// Nine tenths of `part` and more: flows that begin together are not sent from one instant on.
bool is_within(const TimeSpan& part, const TimeSpan& whole) {
    constexpr double kMostOfIt = 0.9;
    const TimeSpan shared{.first = std::max(part.first, whole.first), .last = std::min(part.last, whole.last)};
    return not part.empty() and not shared.empty() and
           to_seconds(shared.duration()) >= kMostOfIt * to_seconds(part.duration());
}

}  // namespace

std::optional<Responsiveness> responsiveness(const SendReport& report) {
    LogHistogram of_load;
    TimeSpan loaded_time;
    for (const FlowReport& flow : report.flows) {
        if (flow.outcome.fidelity.greedy and flow.spec.in_flight == 0 and flow.outcome.late_rtt_ns.count() > 0) {
            of_load.merge(flow.outcome.late_rtt_ns);
            loaded_time.include(flow.outcome.fidelity.sent);
        }
    }
    LogHistogram connected_and_answered;
    for (const FlowReport& flow : report.flows) {
        if (flow.spec.requests_per_connection == Distribution(Constant{1}) and flow.outcome.round_trip and
            is_within(flow.outcome.fidelity.sent, loaded_time)) {
            connected_and_answered.merge(flow.outcome.round_trip->rtt_ns);
        }
    }
    const auto foreign = times_in_a_minute(connected_and_answered);
    const auto loaded = times_in_a_minute(of_load);
    return foreign and loaded ? std::optional(Responsiveness{.foreign_rpm = 2 * *foreign, .loaded_rpm = *loaded})
                              : std::nullopt;
}

std::string responsiveness_text(const SendReport& report) {
    const auto found = responsiveness(report);
    return found ? fmt::format(
                       "Responsiveness {:.0f} round trips a minute: {:.0f} on new connections, {:.0f} on those "
                       "of the load",
                       found->rpm(), found->foreign_rpm, found->loaded_rpm)
                 : "";
}

}  // namespace groma
