#include "sender/links/kept_setups.hpp"

#include <utility>

namespace groma {

KeptSetups::KeptSetups(std::vector<FlowSetup> setups) {
    own_.reserve(setups.size());
    for (FlowSetup& setup : setups) {
        Own own{.id = std::exchange(setup.spec.id, FlowId{}),
                .start_delay = std::exchange(setup.spec.start_delay, Nanos{0}),
                .name = std::exchange(setup.spec.name, {}),
                .local_address = std::move(setup.local_address),
                .remote_address = std::move(setup.remote_address)};
        if (common_.empty() or common_.back() != setup.spec) {
            common_.push_back(std::move(setup.spec));
        }
        own.common = static_cast<std::uint32_t>(common_.size() - 1);
        own_.push_back(std::move(own));
    }
}

std::vector<FlowSetup> KeptSetups::all() const {
    std::vector<FlowSetup> setups;
    setups.reserve(own_.size());
    for (const Own& own : own_) {
        FlowSetup& setup = setups.emplace_back(common_[own.common], own.local_address, own.remote_address);
        setup.spec.id = own.id;
        setup.spec.start_delay = own.start_delay;
        setup.spec.name = own.name;
    }
    return setups;
}

}  // namespace groma
