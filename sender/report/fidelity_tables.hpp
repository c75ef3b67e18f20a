// The sender's own error as tables: rates, lateness, and gaps against what was asked for.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

/// A flow, or all together.
struct FidelityRow {
    std::string name;
    const Fidelity* fidelity = nullptr;
    std::optional<double> nominal_pps{};  ///< of the distributions; empty: none, or several
};

[[nodiscard]] std::string fidelity_tables(const std::vector<FidelityRow>& rows);

}  // namespace groma
