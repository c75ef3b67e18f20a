#include "common/model/experiment/experiment_flows.hpp"

#include <utility>

#include "common/base/plain_text.hpp"
#include "common/model/flow/flow_text.hpp"

namespace groma {

void ExperimentFlows::complete(const Section& section, FlowDraft& draft) {
    join_on_off(section, draft);
    apply_rate(draft);
    choose_rest(draft);
}

void ExperimentFlows::join_on_off(const Section& section, FlowDraft& draft) {
    if (draft.on.has_value() != draft.off.has_value()) {
        const bool reported = section.settings.contains("on") and section.settings.contains("off");
        if (not reported) {
            errors_.push_back({section.place.line, section.place.column,
                               draft.on ? "'on' needs 'off' beside it" : "'off' needs 'on' beside it"});
        }
    } else if (draft.on) {
        draft.spec.on_off = OnOff{*draft.on, *draft.off};
    }
}

void ExperimentFlows::apply_rate(FlowDraft& draft) {
    if (not draft.rate) {
        return;
    }
    try {
        groma::apply_rate(draft);
    } catch (const UsageError& error) {
        errors_.push_back({draft.rate->place.line, draft.rate->place.column, std::string("rate: ") + error.what()});
    }
}

void ExperimentFlows::add(Place place, const FlowDraft& draft, std::uint64_t seed) {
    const auto next = flows_.size() + 1;
    const std::string name = draft.spec.name.empty() ? "flow" + std::to_string(next) : draft.spec.name;
    if (flows_.size() + draft.count > kMaxFlows) {
        errors_.push_back({place.line, place.column, "more than " + std::to_string(kMaxFlows) + " flows"});
        return;
    }
    for (std::uint32_t i = 0; i < draft.count; ++i) {
        FlowSpec spec = draft.spec;
        spec.id = FlowId{static_cast<std::uint32_t>(flows_.size() + 1)};
        spec.seed = seed;
        draw_values(draft.drawn, spec);
        spec.name = draft.count == 1 ? name : name + "-" + std::to_string(i + 1);
        if (spec.target.data_port) {
            const unsigned port = *spec.target.data_port + i;
            if (port > 65535) {
                errors_.push_back({place.line, place.column, "the ports of these flows go beyond 65535"});
                return;
            }
            spec.target.data_port = static_cast<std::uint16_t>(port);
        }
        const std::size_t before = errors_.size();
        check_flow(place, spec);
        flows_.push_back(std::move(spec));
        if (errors_.size() != before) {
            return;
        }
    }
}

void ExperimentFlows::check_flow(Place place, const FlowSpec& spec) {
    for (std::string& error : validate(spec)) {
        errors_.push_back({place.line, place.column, std::move(error)});
    }
    if (not names_.insert(spec.name).second) {
        errors_.push_back({place.line, place.column, "there are two flows named '" + plain_text(spec.name, 60) + "'"});
    }
    if (not spec.target.data_port) {
        return;
    }
    const auto [first, fresh] =
        ports_.emplace(std::tuple(spec.target.host, *spec.target.data_port, spec.transport), spec.name);
    if (not fresh) {
        errors_.push_back({place.line, place.column,
                           "flow '" + plain_text(first->second, 60) + "' already goes to port " +
                               std::to_string(*spec.target.data_port) + " of " + spec.target.host});
    }
}

}  // namespace groma
