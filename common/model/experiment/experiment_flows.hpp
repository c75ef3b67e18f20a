// The flows of an experiment, from the drafts that its file has: numbered and named in the order of the file, and
// checked against one another. Pure.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_keys.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/model/text/experiment_text.hpp"

namespace groma {

class ExperimentFlows {
public:
    /// `errors`: takes the errors of flows, each at the place of its section or setting; outlives this.
    explicit ExperimentFlows(std::vector<TextError>& errors) : errors_(errors) {}

    /// Puts into the draft what several settings of its section make together: the on-off process, the rate.
    void complete(const Section& section, FlowDraft& draft);

    /// Adds the flows of a complete draft. `place`: its section's.
    void add(Place place, const FlowDraft& draft, std::uint64_t seed);

    [[nodiscard]] std::vector<FlowSpec> take() { return std::exchange(flows_, {}); }

private:
    void join_on_off(const Section& section, FlowDraft& draft);
    void apply_rate(FlowDraft& draft);
    void check_flow(Place place, const FlowSpec& spec);

    std::vector<TextError>& errors_;
    std::vector<FlowSpec> flows_;
    std::set<std::string> names_;
    std::map<std::tuple<std::string, std::uint16_t, Transport>, std::string> ports_;
};

}  // namespace groma
