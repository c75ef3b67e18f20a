#include "common/net/device/device_queues.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "common/base/errors.hpp"

namespace groma {

int DeviceQueues::device_of(const Way& way) {
    const bool known = latest_device_ > 0 and latest_.device == way.device and latest_.from.same_host(way.from) and
                       latest_.to.same_host(way.to);
    if (not known) {
        latest_device_ = device_towards(way);
        latest_ = way;
    }
    return latest_device_;
}

const std::vector<QueueingDiscipline>& DeviceQueues::of(int device) {
    const auto known = disciplines_.find(device);
    return known != disciplines_.end() ? known->second
                                       : disciplines_.emplace(device, disciplines_of(device)).first->second;
}

std::string DeviceQueues::that_takes_apart(const Way& way) {
    constexpr std::array<std::string_view, 3> kKinds{"tbf", "cake", "taprio"};
    try {
        const auto& all = of(device_of(way));
        const auto found = std::ranges::find_first_of(all, kKinds, {}, &QueueingDiscipline::kind);
        return found == all.end() ? std::string() : found->kind;
    } catch (const SystemError&) {
        return {};
    } catch (const RunError&) {
        return {};
    }
}

}  // namespace groma
