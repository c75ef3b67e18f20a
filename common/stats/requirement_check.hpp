// Whether flows keep what was required of them (common/model/requirement.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/model/requirement.hpp"
#include "common/stats/fidelity.hpp"

namespace groma {

/// What is known of a flow. Points to what outlives it.
struct FlowToCheck {
    std::string name;
    const Fidelity* fidelity = nullptr;     ///< null: nothing is known
    std::optional<std::uint64_t> lost{};    ///< packets; nothing: unknown
    std::optional<std::uint64_t> missed{};  ///< slots of the schedule that were left out
    std::optional<std::uint64_t> unsent{};  ///< packets that the host could not send
};

struct CheckedRequirement {
    Requirement required;
    bool met = false;
    /// The largest value of any flow; nothing when it is unknown of a flow, or no flow has the figure.
    std::optional<double> worst{};
    std::string flow{};  ///< that has it, or of which it is unknown
    std::size_t flows_beyond = 0;

    /// "the p99 of lateness of flow 'a' is 35 us, at most 20 us is required" (or why it cannot be told).
    [[nodiscard]] std::string sentence() const;
};

/// Each requirement against all flows. Figures of the distribution (lambda2, ks, a2) are asked of flows that have
/// them, and must be there for one of them at least; every other figure must be known of every flow.
[[nodiscard]] std::vector<CheckedRequirement> check_requirements(const std::vector<Requirement>& requirements,
                                                                 const std::vector<FlowToCheck>& flows);

/// "20us", "0.1 %", "0.01": a value of such a figure for people.
[[nodiscard]] std::string required_value(RequiredFigure figure, double value);

}  // namespace groma
