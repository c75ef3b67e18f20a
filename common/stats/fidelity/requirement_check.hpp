// Whether flows keep what was required of them (common/model/experiment/requirement.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/model/experiment/requirement.hpp"
#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

/// What is known of a flow. Points to what outlives it.
struct FlowToCheck {
    std::string name;
    const Fidelity* fidelity = nullptr;     ///< null: nothing is known
    std::optional<std::uint64_t> lost{};    ///< packets; nothing: unknown
    std::optional<std::uint64_t> missed{};  ///< slots of the schedule that were left out
    std::optional<std::uint64_t> unsent{};  ///< packets that the host could not send
    /// It came to its end, so that the packets of its fidelity, `missed` and `unsent` are all that was asked of it.
    bool ran_to_its_end = false;
};

struct CheckedRequirement {
    Requirement required;
    bool met = false;
    /// The largest value of any flow; nothing when it cannot be judged of a flow, or no flow has the figure.
    std::optional<double> worst{};
    std::string flow{};  ///< that has it, or of which it is unknown
    std::size_t flows_beyond = 0;
    bool nothing_was_sent = false;  ///< of the flow of which it is unknown

    /// "the p99 of lateness of flow 'a' is 35 us, at most 20 us is required" (or why it cannot be told).
    [[nodiscard]] std::string sentence() const;
};

/// Each requirement against all flows. No data is no success: a figure that is not known of a flow is not met, such as
/// every figure of a flow of which nothing was sent. Only what was not asked of a flow is not held against it: any
/// figure when its schedule had no departure, the rate and the gaps of a single one, and the distribution (lambda2, ks,
/// a2) of one that has no model or too few gaps; of at least one flow there must be something to judge.
[[nodiscard]] std::vector<CheckedRequirement> check_requirements(const std::vector<Requirement>& requirements,
                                                                 const std::vector<FlowToCheck>& flows);

/// "20us", "0.1 %", "0.01": a value of such a figure for people.
[[nodiscard]] std::string required_value(RequiredFigure figure, double value);

}  // namespace groma
