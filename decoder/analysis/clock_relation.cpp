#include "decoder/analysis/clock_relation.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "common/base/counted.hpp"
#include "common/stats/clock/clock_fit.hpp"

namespace groma {

namespace {

bool is_to(const ClockProbe& probe, const RunMetadata& receiver) {
    if (not probe.peer_boot_id.empty() and not receiver.boot_id.empty()) {
        return probe.peer_boot_id == receiver.boot_id;
    }
    return probe.peer_host == receiver.host;
}

/// `to_it`: those of the probes that went to the receiver; `wrong`: those of them that cannot be right.
std::string why_unusable(std::size_t probes, std::size_t to_it, std::uint64_t wrong) {
    if (probes == 0) {
        return {};
    }
    if (to_it == 0) {
        return counted(probes, "clock probe") + ", none usable (they went to other receivers)";
    }
    return counted(to_it, "clock probe") + ", none usable (" +
           (wrong == to_it ? "their times contradict themselves, or are more than 73 years apart"
                           : "a clock was set again and again, or stands still") +
           ')';
}

}  // namespace

ClockState relate_clocks(const RunMetadata& sender, std::span<const ClockProbe> probes, const RunMetadata& receiver) {
    if (not sender.boot_id.empty() and sender.boot_id == receiver.boot_id) {
        return {.kind = ClockState::Kind::one_clock};
    }
    std::vector<ProbeTimes> times;
    for (const ClockProbe& probe : probes) {
        if (is_to(probe, receiver)) {
            times.push_back({probe.sent, probe.received, probe.answered, probe.returned});
        }
    }
    ClockFit fit = fit_clock(times);
    if (not fit.pieces.empty()) {
        const Nanos offset = fit.offset(sender.started_at);
        const Nanos bound = fit.bound(sender.started_at);
        return {ClockState::Kind::probed, offset, bound, fit.used, std::move(fit)};
    }
    return {.kind = ClockState::Kind::relative, .unusable = why_unusable(probes.size(), times.size(), fit.left_out)};
}

ClockState clock_of_arrivals(const FlowSpec& flow, const RunMetadata& receiver, ClockState of_host) {
    const bool by_hardware = flow.options.arrival_stamps == StampSource::hardware and
                             (receiver.timestamps.empty() or receiver.timestamps.find("hardware") != std::string::npos);
    return by_hardware ? ClockState{.kind = ClockState::Kind::interface} : std::move(of_host);
}

std::string why_clocks_are_mixed(const ClockState& arrivals, const FlowTotals* totals) {
    if (arrivals.kind != ClockState::Kind::interface) {
        return {};
    }
    if (totals == nullptr) {
        return "some times of arrival may be the host's and others the interface's: the receiver's log has no totals";
    }
    using Counter = std::pair<std::string, std::uint64_t>;
    const auto unstamped = std::ranges::find(totals->counters, std::string_view("unstamped_packets"), &Counter::first);
    return unstamped == totals->counters.end() or unstamped->second == 0
               ? std::string()
               : "the times of arrival of " + counted(unstamped->second, "packet") +
                     " are the host's, and the others the interface's";
}

}  // namespace groma
