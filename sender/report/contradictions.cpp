#include "sender/report/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace groma {

namespace {

std::string of_counts(const ReceivedFlow& received) {
    const std::uint64_t packets = received.packets;
    if (received.duplicates > 0 and received.duplicates >= packets) {
        return fmt::format("{} duplicates among {} packets", received.duplicates, packets);
    }
    if (received.reordered > packets) {
        return fmt::format("{} reordered packets of {}", received.reordered, packets);
    }
    if (received.first_arrival > received.last_arrival) {
        return "the first packet arrived after the last";
    }
    if (received.delays and received.delays->packets > packets - received.duplicates) {
        return fmt::format("{} delays of {} packets", received.delays->packets, packets - received.duplicates);
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
    if (what.empty() and flow.tells_copies()) {
        what = of_sent(flow, received);
    }
    if (what.empty() and flow.outcome.round_trip) {
        what = of_replies(flow, received);
    }
    return what.empty() ? what : "the receiver's counts contradict what was sent: " + what;
}

}  // namespace groma
