#include "sender/report/responsiveness.hpp"

#include <fmt/format.h>

#include "common/cli/human.hpp"

namespace groma {

namespace {

constexpr double kKept = 0.95;  ///< of the values (draft-ietf-ippm-responsiveness: trimmed mean percentage)

/// Nothing without such times.
std::optional<double> times_in_a_minute(const LogHistogram& times_ns) {
    constexpr double kMinuteNs = 60e9;
    const double mean_ns = times_ns.trimmed_mean(kKept);
    return mean_ns > 0 ? std::optional(kMinuteNs / mean_ns) : std::nullopt;
}

}  // namespace

std::optional<Responsiveness> responsiveness(const SendReport& report) {
    LogHistogram connected_and_answered;
    LogHistogram of_load;
    for (const FlowReport& flow : report.flows) {
        if (flow.spec.requests_per_connection == Distribution(Constant{1}) and flow.outcome.round_trip) {
            connected_and_answered.merge(flow.outcome.round_trip->rtt_ns);
        } else if (flow.outcome.fidelity.greedy and flow.spec.in_flight == 0) {
            of_load.merge(flow.outcome.late_rtt_ns);
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
