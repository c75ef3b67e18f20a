#include "sender/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace groma {

namespace {

/// Without numbers a receiver cannot tell the network's copies, which count as packets then.
bool has_numbers(const FlowReport& flow) {
    constexpr std::int64_t kWithNumber = 4;
    return flow.spec.header != HeaderLevel::none and
           (flow.outcome.fidelity.packets == 0 or
            flow.outcome.fidelity.bytes / flow.outcome.fidelity.packets >= kWithNumber);
}

std::string of_counts(const ReceivedFlow& received) {
    const std::uint64_t packets = received.packets;
    if (received.duplicates > 0 and received.duplicates >= packets) {
        return fmt::format("{} duplicates among {} packets", received.duplicates, packets);
    }
    if (received.reordered > packets) {
        return fmt::format("{} reordered packets of {}", received.reordered, packets);
    }
    if (received.records_lost > packets) {
        return fmt::format("{} records lost of {} packets", received.records_lost, packets);
    }
    if (received.replies > packets) {
        return fmt::format("{} replies to {} packets", received.replies, packets);
    }
    if (received.bytes < packets) {
        return fmt::format("{} packets with {} bytes", packets, received.bytes);
    }
    return {};
}

std::string of_sent(const FlowReport& flow, const ReceivedFlow& received) {
    const Fidelity& sent = flow.outcome.fidelity;
    const std::uint64_t unique = received.packets - received.duplicates;
    if (unique > sent.packets) {
        return fmt::format("{} packets arrived, {} were sent", unique, sent.packets);
    }
    if (received.duplicates == 0 and received.bytes > sent.bytes) {
        return fmt::format("{} bytes arrived, {} were sent", received.bytes, sent.bytes);
    }
    return {};
}

std::string of_replies(const FlowReport& flow, const ReceivedFlow& received) {
    const RoundTrip& back = *flow.outcome.round_trip;
    const std::uint64_t returned = back.returned - std::min(back.returned, back.duplicates + back.untimed);
    return returned > received.replies
               ? fmt::format("{} replies came back, it says that it sent {}", returned, received.replies)
               : std::string();
}

}  // namespace

std::string contradiction(const FlowReport& flow, const ReceivedFlow& received) {
    std::string what = of_counts(received);
    if (what.empty() and has_numbers(flow)) {
        what = of_sent(flow, received);
    }
    if (what.empty() and flow.outcome.round_trip) {
        what = of_replies(flow, received);
    }
    return what.empty() ? what : "the receiver's counts contradict what was sent: " + what;
}

}  // namespace groma
