#include "common/net/device/queue_drops.hpp"

#include <linux/pkt_sched.h>
#include <net/if.h>

#include <algorithm>
#include <array>
#include <stdexcept>

namespace groma {

namespace {

constexpr std::uint32_t kOutermost = TC_H_ROOT;

const QueueingDiscipline* outermost(const std::vector<QueueingDiscipline>& all) {
    const auto found = std::ranges::find(all, kOutermost, &QueueingDiscipline::parent);
    return found == all.end() ? nullptr : &*found;
}

std::string name_of(int device) {
    std::array<char, IF_NAMESIZE> name{};
    return ::if_indextoname(static_cast<unsigned>(device), name.data()) != nullptr ? name.data() : "";
}

/// Empty: the kernel does not tell.
std::vector<QueueingDiscipline> told_of(int device) {
    try {
        return disciplines_of(device);
    } catch (const std::runtime_error&) {
        return {};
    }
}

}  // namespace

std::vector<QueueDrops> drops_between(const std::string& device, const std::vector<QueueingDiscipline>& before,
                                      const std::vector<QueueingDiscipline>& after) {
    const QueueingDiscipline* const then = outermost(before);
    const QueueingDiscipline* const now = outermost(after);
    if (then == nullptr or now == nullptr or then->kind != now->kind or then->handle != now->handle or
        now->dropped <= then->dropped) {
        return {};
    }
    return {{.queue = now->kind + " on " + device, .packets = now->dropped - then->dropped}};
}

void QueueDropWatch::watch(const Way& way, DeviceQueues& devices) {
    if (ways_.size() >= kMostWays or not ways_.insert(way.to.host_to_string() + ' ' + way.device).second) {
        return;
    }
    try {
        const int device = devices.device_of(way);
        devices_.try_emplace(device, Device{.name = name_of(device)});
    } catch (const std::runtime_error&) {
        // Whoever sends there is told why it fails.
    }
}

void QueueDropWatch::begin() {
    for (auto& [number, device] : devices_) {
        device.before = told_of(number);
    }
}

std::vector<QueueDrops> QueueDropWatch::drops() const {
    std::vector<QueueDrops> all;
    for (const auto& [number, device] : devices_) {
        const std::vector<QueueDrops> more = drops_between(device.name, device.before, told_of(number));
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

}  // namespace groma
