// The fidelity of several flows together (docs/reference/metrics.md says which of it is a sum).
#pragma once

#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

/// Whether the flow has gaps enough for a fit, and none: then nor have several flows with it.
[[nodiscard]] bool has_no_fit(const Fidelity& part);

/// Counts and times behind are sums. Rates are of all packets, over the time from the first to the last; unknown if
/// that of a flow with packets is; those of the schedule also with a greedy flow. Lateness, batches and gap errors are
/// those of all packets. The fit is that of all gaps, each by its own flow's model; unknown if a flow with kFewestGaps
/// gaps or more has none. The variation of gaps is the largest of any flow. Order matters only for rounding.
class FidelitySum {
public:
    void add(const Fidelity& part);
    [[nodiscard]] Fidelity result() const;

private:
    Fidelity sum_;
    bool some_unknown_ = false;  ///< when packets were due or left
    bool some_unfitted_ = false;
    PooledGaps gaps_;
};

}  // namespace groma
