// Why a flow's gaps were not compared with a distribution, for the reports.
#pragma once

#include <string>
#include <string_view>

#include "common/model/flow/flow_spec.hpp"
#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

/// Why a flow has no figure that compares with its schedule; empty: it has one.
[[nodiscard]] std::string_view why_no_schedule(const Fidelity& fidelity);

/// Returns: a sentence; empty if there is a fit.
[[nodiscard]] std::string_view why_no_fit(const FlowSpec& flow, const Fidelity& fidelity);

/// The same of flows together (FidelitySum).
class MissingFits {
public:
    /// `why`: as why_no_fit().
    void add(std::string_view flow, const Fidelity& fidelity, std::string_view why);
    /// "flow 'x' has none: ...": the first flow that has gaps enough for a fit and none; else the first without one.
    /// Requires: together they have no fit.
    [[nodiscard]] const std::string& why() const { return why_; }

private:
    std::string why_;
    bool decided_ = false;
};

}  // namespace groma
