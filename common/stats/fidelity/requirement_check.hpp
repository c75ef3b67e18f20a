// Checks whether flows meet their requirements (common/model/experiment/requirement.hpp).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/experiment/requirement.hpp"
#include "common/stats/fidelity/fidelity.hpp"

namespace groma {

/// Results of a flow. Points to objects that outlive it.
struct FlowToCheck {
    std::string name;
    const Fidelity* fidelity = nullptr;           ///< null: no results
    std::optional<std::uint64_t> lost{};          ///< packets; empty: unknown
    std::string loss_unknown_because{};           ///< "because ..."; empty: no more is known
    std::map<RequiredFigure, double> times_ns{};  ///< delays, jitter and round-trip times that are known
    std::string times_unknown_because{};          ///< the others of them: "because ..."
    bool round_trip = false;                      ///< its receiver sends packets back: it has round-trip times
    /// Slots of the schedule that were skipped, and packets that the host could not send; unknown of a flow that did
    /// not run to its end, since nobody counts what was still due then.
    std::optional<std::uint64_t> missed{};
    std::optional<std::uint64_t> unsent{};
    /// The flow ended by its stop rule: the packets in its fidelity, `missed` and `unsent` together are all requested
    /// ones.
    bool ran_to_its_end = false;

    /// Adds p50, p90, p99, p99.9 and the largest, nanoseconds, to `times_ns`, where a larger one stays. `first`:
    /// delay_p50 or rtt_p50.
    void add_times(RequiredFigure first, const std::array<double, 5>& values_ns);
};

struct CheckedRequirement {
    Requirement required;
    bool met = false;
    /// The largest value of any flow; empty if it is unknown for a flow, or no flow has the figure.
    std::optional<double> worst{};
    std::string flow{};  ///< with this value, or with an unknown one
    std::size_t flows_beyond = 0;
    std::string why_unknown{};  ///< "because nothing of it was sent"; empty: no more is known

    /// "the p99 of lateness of flow 'a' is 35 us, at most 20 us is required" (or why it is unknown).
    [[nodiscard]] std::string sentence() const;
};

/// Checks each requirement against all flows. Missing data is not success: a flow with an unknown figure fails, such as
/// every figure of a flow that sent nothing. Only figures that do not apply to a flow are skipped: those of the
/// schedule if it was sent as fast as possible, all of them if its schedule had no departure, the rate and the gaps of
/// a single departure, the distribution (lambda2, ks, a2) without a model or with too few gaps, and round-trip times
/// without packets that come back. At least one flow must have the figure.
[[nodiscard]] std::vector<CheckedRequirement> check_requirements(const std::vector<Requirement>& requirements,
                                                                 const std::vector<FlowToCheck>& flows);

/// "20us", "0.1 %", "0.01": the figure's value for people.
[[nodiscard]] std::string required_value(RequiredFigure figure, double value);

}  // namespace groma
