// The fidelity of several flows together (docs/reference/metrics.md says what of it is a sum and what is not).
#pragma once

#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

/// Counts, rates and times behind are sums; lateness, batches and gap errors are those of all packets; the fit is that
/// of all gaps that have a model, each by its own flow's; the variation of gaps is that of the flow where it is
/// largest. Order does not matter but for rounding.
class FidelitySum {
public:
    void add(const Fidelity& part);
    [[nodiscard]] Fidelity result() const;

private:
    Fidelity sum_;
    PooledGaps gaps_;
};

}  // namespace groma
