#include "sender/run/sender_metrics.hpp"

#include <array>

#include "common/metrics/exposition.hpp"

namespace groma {

namespace {

constexpr auto kSenderRows = std::to_array<MetricRow<SentSoFar>>({
    {{"groma_sender_open_flows", MetricType::gauge, "", "Flows that are being sent now."},
     [](const SentSoFar& sent, MetricSamples& samples) { samples.add(std::uint64_t{sent.open_flows}); }},
    {{"groma_sender_packets", MetricType::counter, "", "Packets that were sent."},
     [](const SentSoFar& sent, MetricSamples& samples) { samples.add(sent.packets); }},
    {{"groma_sender_payload_bytes", MetricType::counter, "bytes", "Payload of these packets."},
     [](const SentSoFar& sent, MetricSamples& samples) { samples.add(sent.bytes); }},
    {{"groma_sender_returned_packets", MetricType::counter, "",
      "Replies that have come, copies included: with the round-trip meter."},
     [](const SentSoFar& sent, MetricSamples& samples) { samples.add(sent.returned); }},
});

}  // namespace

std::span<const MetricRow<SentSoFar>> sender_metrics() {
    return kSenderRows;
}

}  // namespace groma
