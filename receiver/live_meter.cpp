#include "receiver/live_meter.hpp"

#include <algorithm>

#include "common/base/counted.hpp"
#include "common/model/text/human.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostLines = 10;

std::string figures(std::uint64_t packets, std::uint64_t bytes, double seconds, std::uint64_t missing) {
    return ": " + human_rate(static_cast<double>(packets) / seconds) + ", " +
           human_bits(8 * static_cast<double>(bytes) / seconds) + ", lost so far " + std::to_string(missing);
}

}  // namespace

std::string LiveMeter::lines(const LiveTotals& totals, MonoTime now) {
    const double seconds = std::max(to_seconds(now - last_), 1e-9);
    std::string text = counted(totals.sessions, "session") + ", " + counted(totals.flows, "flow") +
                       figures(totals.packets - before_.packets, totals.bytes - before_.bytes, seconds, totals.missing);
    last_ = now;
    before_ = {.packets = totals.packets, .bytes = totals.bytes};
    std::map<std::pair<std::string, FlowId>, ArrivedSoFar> flows;
    for (const LiveFlow& flow : totals.each_flow) {
        const ArrivedSoFar& arrived = flow.so_far.arrived;
        const std::pair key(flow.peer, flow.so_far.flow);
        if (totals.flows > 1 and flows.size() < kMostLines) {
            const ArrivedSoFar before = flows_before_[key];
            text += "\n  " + flow.peer + " flow " + std::to_string(flow.so_far.flow.value) +
                    figures(arrived.packets - before.packets, arrived.bytes - before.bytes, seconds, arrived.missing);
        }
        flows.emplace(key, arrived);
    }
    if (not flows.empty() and totals.flows > kMostLines) {
        text += "\n  and " + std::to_string(totals.flows - std::min(flows.size(), kMostLines)) + " more flows";
    }
    flows_before_ = std::move(flows);
    return text;
}

}  // namespace groma
