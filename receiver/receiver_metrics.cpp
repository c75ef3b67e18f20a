#include "receiver/receiver_metrics.hpp"

#include <algorithm>
#include <array>

#include "common/metrics/exposition.hpp"

namespace groma {

namespace {

/// A counter that is summed up over flows whose runs have ended.
template <std::uint64_t ReceivedFlow::*kCount>
void give_count(const WatchedReceiver& receiver, MetricSamples& samples) {
    samples.add(receiver.counts.flows.*kCount);
}

constexpr auto kReceiverRows = std::to_array<MetricRow<WatchedReceiver>>({
    {{"groma_receiver_sessions", MetricType::counter, "", "Control sessions that have begun."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.counts.sessions); }},
    {{"groma_receiver_open_sessions", MetricType::gauge, "", "Control sessions now."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) {
         samples.add(std::uint64_t{receiver.totals.sessions});
     }},
    {{"groma_receiver_refused_sessions",
      MetricType::counter,
      "",
      "Control sessions that were refused: for lack of `room`, of a `key`, by a `limit` of their key, or because "
      "their `request` cannot be met.",
      {"cause"}},
     [](const WatchedReceiver& receiver, MetricSamples& samples) {
         samples.add(receiver.counts.refused_room, {"room"});
         samples.add(receiver.turned_away, {"key"});
         samples.add(receiver.counts.refused_limit, {"limit"});
         samples.add(receiver.counts.refused_request, {"request"});
     }},
    {{"groma_receiver_runs", MetricType::counter, "", "Runs whose flows began to be received."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.counts.runs); }},
    {{"groma_receiver_open_flows", MetricType::gauge, "", "Flows that are being received now."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) {
         samples.add(std::uint64_t{receiver.totals.flows});
     }},
    {{"groma_receiver_packets", MetricType::counter, "", "Packets that have come, copies included."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.totals.packets); }},
    {{"groma_receiver_payload_bytes", MetricType::counter, "bytes", "Payload of these packets."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.totals.bytes); }},
    {{"groma_receiver_missing_packets", MetricType::gauge, "",
      "Packets of flows that are being received which have not come so far, though later ones have."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.totals.missing); }},
    {{"groma_receiver_lost_packets", MetricType::counter, "",
      "Packets that were sent and have not come, of runs that have ended in order."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.counts.lost); }},
    {{"groma_receiver_duplicate_packets", MetricType::counter, "",
      "Copies of packets that had come before, of ended runs."},
     give_count<&ReceivedFlow::duplicates>},
    {{"groma_receiver_reordered_packets", MetricType::counter, "",
      "Packets that came after later ones, of ended runs."},
     give_count<&ReceivedFlow::reordered>},
    {{"groma_receiver_foreign_packets", MetricType::counter, "",
      "Packets at the ports of flows that came from others than their senders, of ended runs."},
     give_count<&ReceivedFlow::foreign>},
    {{"groma_receiver_malformed_packets", MetricType::counter, "", "Packets that are none of Groma's, of ended runs."},
     give_count<&ReceivedFlow::malformed>},
    {{"groma_receiver_forged_packets", MetricType::counter, "",
      "Packets of sealed flows with a wrong seal or none, of ended runs."},
     give_count<&ReceivedFlow::forged>},
    {{"groma_receiver_dropped_packets", MetricType::counter, "",
      "Packets that this kernel dropped because the receiver was too slow, of ended runs."},
     give_count<&ReceivedFlow::kernel_drops>},
    {{"groma_receiver_unlogged_packets", MetricType::counter, "",
      "Packets that lack in the receiver's log although one was asked for, of ended runs."},
     give_count<&ReceivedFlow::records_lost>},
    {{"groma_receiver_unsent_replies", MetricType::counter, "", "Packets that could not be sent back, of ended runs."},
     give_count<&ReceivedFlow::replies_lost>},
    {{"groma_receiver_one_way_delay_seconds", MetricType::histogram, "seconds",
      "One-way delays of packets of ended runs, by the clocks of both hosts: right where these agree."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.counts.delays); }},
    {{"groma_receiver_negative_delays", MetricType::counter, "",
      "Packets of ended runs that came, by the clocks of both hosts, before they left: these clocks do not agree."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.counts.delays.below_zero()); }},
    {{"groma_receiver_log_bytes", MetricType::counter, "bytes",
      "Logs that were written, wherever they went, of ended runs."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.counts.log_bytes); }},
    {{"groma_receiver_failed_logs", MetricType::counter, "", "Logs that are not whole."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.counts.failed_logs); }},
    {{"groma_receiver_spool_bytes", MetricType::gauge, "bytes",
      "Disk that logs take until a log server has confirmed them."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.spool_bytes); }},
    {{"groma_receiver_spool_max_bytes", MetricType::gauge, "bytes", "What they may take."},
     [](const WatchedReceiver& receiver, MetricSamples& samples) { samples.add(receiver.spool_max_bytes); }},
});

}  // namespace

void ReceiverCounts::add(const ReceiverResults& results) {
    for (const ReceivedFlow& flow : results.flows) {
        flows.duplicates += flow.duplicates;
        flows.reordered += flow.reordered;
        flows.foreign += flow.foreign;
        flows.malformed += flow.malformed;
        flows.forged += flow.forged;
        flows.kernel_drops += flow.kernel_drops;
        flows.records_lost += flow.records_lost;
        flows.replies_lost += flow.replies_lost;
    }
    failed_logs += results.log_error.empty() ? 0U : 1U;
}

void ReceiverCounts::add(const std::vector<FlowLoss>& losses) {
    std::ranges::for_each(losses, [this](const FlowLoss& flow) { lost += flow.lost; });
}

std::span<const MetricRow<WatchedReceiver>> receiver_metrics() {
    return kReceiverRows;
}

}  // namespace groma
