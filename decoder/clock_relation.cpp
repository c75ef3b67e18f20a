#include "decoder/clock_relation.hpp"

#include "common/stats/clock_offset.hpp"

namespace groma {

namespace {

bool is_to(const ClockProbe& probe, const RunMetadata& receiver) {
    if (not probe.peer_boot_id.empty() and not receiver.boot_id.empty()) {
        return probe.peer_boot_id == receiver.boot_id;
    }
    return probe.peer_host == receiver.host;
}

}  // namespace

ClockState relate_clocks(const RunMetadata& sender, std::span<const ClockProbe> probes, const RunMetadata& receiver) {
    if (not sender.boot_id.empty() and sender.boot_id == receiver.boot_id) {
        return {.kind = ClockState::Kind::one_clock};
    }
    MinimumDelayFilter filter;
    for (const ClockProbe& probe : probes) {
        if (is_to(probe, receiver)) {
            filter.add(probe.sent, probe.received, probe.answered, probe.returned);
        }
    }
    if (const auto best = filter.best()) {
        return {ClockState::Kind::probed, best->offset, best->bound, filter.used()};
    }
    return {.kind = ClockState::Kind::relative};
}

}  // namespace groma
