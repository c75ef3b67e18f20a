#include "sender/report/merged_report.hpp"

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

SendReport merged(std::span<const SendReport* const> reports) {
    check(not reports.empty(), "there is something to merge");
    SendReport whole = *reports.front();
    if (reports.size() == 1) {
        return whole;
    }
    whole.log.reset();
    whole.delays.reset();
    whole.pacing = {};
    whole.usage.reset();
    whole.conditions.reset();
    whole.queue_drops.clear();
    for (const SendReport* report : reports) {
        for (const QueueDrops& each : report->queue_drops) {
            QueueDrops here{each.queue + " of " + report->host, each.packets};
            const auto known = std::ranges::find(whole.queue_drops, here.queue, &QueueDrops::queue);
            if (known == whole.queue_drops.end()) {
                whole.queue_drops.push_back(std::move(here));
            } else {  // several senders of one host saw the same packets
                known->packets = std::max(known->packets, here.packets);
            }
        }
    }
    for (const SendReport* report : reports.subspan(1)) {
        whole.flows.insert(whole.flows.end(), report->flows.begin(), report->flows.end());
        whole.receivers.insert(whole.receivers.end(), report->receivers.begin(), report->receivers.end());
        whole.remote_logs.insert(whole.remote_logs.end(), report->remote_logs.begin(), report->remote_logs.end());
        whole.started_at = std::min(whole.started_at, report->started_at);
        whole.elapsed = std::max(whole.elapsed, report->elapsed);
        whole.interrupted = whole.interrupted or report->interrupted;
    }
    std::ranges::sort(whole.flows, {}, [](const FlowReport& flow) { return flow.spec.id.value; });
    return whole;
}

}  // namespace groma
