// Relates a receiver's clock to a sender's, by their logs.
#pragma once

#include <span>

#include "common/log/run_metadata.hpp"
#include "decoder/results/clock_state.hpp"

namespace groma {

/// `probes`: of the sender's log; only those to this receiver's host are used. Equal boot ids mean one clock. Otherwise
/// the probes are fitted (common/stats/clock/clock_fit.hpp); without a fit, delays are relative. `bound` is that of the
/// run's start.
[[nodiscard]] ClockState relate_clocks(const RunMetadata& sender, std::span<const ClockProbe> probes,
                                       const RunMetadata& receiver);

/// The clock of a flow's arrivals: that of the receiver's host, or the interface's where hardware stamped them, or may
/// have if the receiver's log is not there.
[[nodiscard]] ClockState clock_of_arrivals(const FlowSpec& flow, const RunMetadata& receiver, ClockState of_host);

/// Why times of arrival cannot be used: some are the interface's and others the host's. Empty: they are of one clock.
/// `totals`: of the flow in the receiver's log; null: unknown.
[[nodiscard]] std::string why_clocks_are_mixed(const ClockState& arrivals, const FlowTotals* totals);

}  // namespace groma
