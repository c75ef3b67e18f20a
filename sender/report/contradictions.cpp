#include "sender/report/contradictions.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/base/counted.hpp"
#include "common/base/counts.hpp"
#include "common/model/flow/sharing.hpp"
#include "common/model/text/human.hpp"
#include "common/time/difference.hpp"
#include "common/time/step_watch.hpp"

namespace groma {

namespace {

const std::string kContradiction = "the receiver's counts contradict what was sent: ";

std::string of_counts(const ReceivedFlow& received) {
    const std::uint64_t packets = received.packets;
    if (received.duplicates > 0 and received.duplicates >= packets) {
        return fmt::format("{} among {}", counted(received.duplicates, "duplicate"), counted(packets, "packet"));
    }
    // The first packet has the largest number so far.
    if (const std::uint64_t unique = packets - received.duplicates;
        received.reordered > 0 and received.reordered >= unique) {
        return fmt::format("{} reordered packets of {}", received.reordered, unique);
    }
    if (received.first_arrival > received.last_arrival) {
        return "the first packet arrived after the last";
    }
    if (received.records_lost > packets) {
        return fmt::format("{} lost of {}", counted(received.records_lost, "record"), counted(packets, "packet"));
    }
    if (received.replies > packets) {
        return fmt::format("{} {} to {}", received.replies, by_count(received.replies, "reply", "replies"),
                           counted(packets, "packet"));
    }
    if (received.replies_lost > packets - received.replies) {
        return fmt::format("{} sent back and {} not sent back, of {}", counted(received.replies, "packet"),
                           received.replies_lost, packets);
    }
    return {};
}

/// Against what the flow can be.
std::string of_spec(const FlowSpec& spec, const ReceivedFlow& received) {
    const SizeLimits sizes = size_limits(spec);
    const std::uint64_t fewest = received.bytes / sizes.largest + (received.bytes % sizes.largest > 0 ? 1 : 0);
    if (received.packets < fewest or received.packets > received.bytes / sizes.smallest) {
        return fmt::format("{} with {}", counted(received.packets, "packet"), counted(received.bytes, "byte"));
    }
    const TransportTraits& transport = traits(spec.transport);
    if (transport.delivers_once and received.duplicates > 0) {
        return fmt::format("{} over {}, which delivers none", counted(received.duplicates, "duplicate"),
                           transport.title);
    }
    if (transport.stream and received.reordered > 0) {
        return fmt::format("{} over {}, which keeps their order", counted(received.reordered, "reordered packet"),
                           transport.title);
    }
    if (spec.meter == Meter::one_way and received.replies + received.replies_lost > 0) {
        return fmt::format("{} of a flow without round trips {} to be sent back",
                           counted(received.replies + received.replies_lost, "packet"),
                           by_count(received.replies + received.replies_lost, "was", "were"));
    }
    return {};
}

/// Beyond what the clocks can be off, and a step of a clock that nobody notices.
bool is_before(Nanos span, Nanos clock_bound) {
    return span + clock_bound + StepWatch::kSmallest < Nanos{0};
}

std::string of_delays(const FlowReport& flow, const ReceivedFlow& received, std::optional<Nanos> clock_bound) {
    if (not received.delays) {
        return {};
    }
    const ArrivalDelays& delays = *received.delays;
    if (const std::uint64_t unique = received.packets - received.duplicates; delays.packets > unique) {
        return fmt::format("{} of {}", counted(delays.packets, "delay"), counted(unique, "packet"));
    }
    if (flow.spec.header != HeaderLevel::full and delays.packets > 0) {
        return fmt::format("{} of packets without the time of their departure", counted(delays.packets, "delay"));
    }
    // A kernel's queue may let packets go before their times (ETF's delta).
    if (delays.packets > 0 and clock_bound and flow.outcome.queue.empty() and is_before(delays.min, *clock_bound)) {
        return fmt::format("a packet arrived {} before it left, and the clocks are at most {} off",
                           human_time(-delays.min), human_time(*clock_bound));
    }
    return {};
}

std::string of_sent(const FlowReport& flow, const ReceivedFlow& received) {
    const Fidelity& sent = flow.outcome.fidelity;
    const std::uint64_t unique = received.packets - received.duplicates;
    if (unique > sent.packets) {
        return fmt::format("{} arrived, {} {} sent", counted(unique, "packet"), sent.packets,
                           by_count(sent.packets, "was", "were"));
    }
    if (const std::uint64_t end = sent.packets + flow.outcome.counts.unsent(); received.numbers_end > end) {
        return fmt::format("number {} arrived, the last that was sent is {} at most", received.numbers_end - 1,
                           end == 0 ? 0 : end - 1);
    }
    const std::uint64_t largest = size_limits(flow.spec).largest;
    const bool copies_can_be_that_large =
        received.bytes <= sent.bytes or (received.bytes - sent.bytes - 1) / largest < received.duplicates;
    const bool all_came_once = unique == sent.packets and received.duplicates == 0;
    if (not copies_can_be_that_large or (all_came_once and received.bytes != sent.bytes)) {
        return fmt::format("{} arrived, {} {} sent", counted(received.bytes, "byte"), sent.bytes,
                           by_count(sent.bytes, "was", "were"));
    }
    return {};
}

std::string of_replies(const FlowReport& flow, const ReceivedFlow& received) {
    const RoundTrip& back = *flow.outcome.round_trip;
    const std::uint64_t returned = back.returned - std::min(back.returned, back.duplicates + back.untimed);
    if (returned > received.replies) {
        return fmt::format("{} replies came back, it says that it sent {}", returned, received.replies);
    }
    return received.replies + received.replies_lost == received.packets
               ? std::string()
               : fmt::format("{} sent back and {} not sent back, of {}", counted(received.replies, "packet"),
                             received.replies_lost, received.packets);
}

std::string of_times(const FlowReport& flow, const ReceivedFlow& received, const ToldTimes& times) {
    if (received.first_arrival == WallTime{} or not times.clock_bound) {
        return {};
    }
    const Nanos until_last = difference(received.last_arrival, times.began);
    if (received.delays and is_before(until_last - (received.delays->min + received.delays->max), *times.clock_bound)) {
        return fmt::format("a packet took {}, and the last arrived {} after the run began",
                           human_time(received.delays->min + received.delays->max), human_time(until_last));
    }
    const Nanos after = difference(received.first_arrival, times.began) - flow.spec.start_delay;
    return is_before(after, *times.clock_bound)
               ? fmt::format("the first packet arrived {} before the flow began", human_time(-after))
               : std::string();
}

}  // namespace

std::string contradiction(const FlowReport& flow, const ReceivedFlow& received, const ToldTimes& times) {
    std::string what = of_counts(received);
    if (what.empty()) {
        what = of_spec(flow.spec, received);
    }
    if (what.empty()) {
        what = of_delays(flow, received, times.clock_bound);
    }
    if (what.empty()) {
        what = of_times(flow, received, times);
    }
    if (what.empty() and flow.tells_copies()) {
        what = of_sent(flow, received);
    }
    if (what.empty() and flow.outcome.round_trip) {
        what = of_replies(flow, received);
    }
    return what.empty() ? what : kContradiction + what;
}

std::string contradiction_of_all(const SendReport& report) {
    if (not report.delays) {
        return {};
    }
    const ArrivalDelays& all = *report.delays;
    std::uint64_t packets = 0;
    Nanos least = Nanos::max();
    Nanos most = Nanos::min();
    for (const FlowReport& flow : report.flows) {
        if (flow.received and flow.received->delays) {
            const ArrivalDelays& delays = *flow.received->delays;
            add_count(packets, delays.packets);
            least = std::min(least, delays.min);
            most = std::max(most, delays.min + delays.max);
        }
    }
    const bool fits = all.packets == packets and (packets == 0 or (all.min == least and all.min + all.max == most));
    return fits ? std::string()
                : kContradiction + fmt::format("the {} delays of all flows together are not the {} of each flow",
                                               all.packets, packets);
}

std::string first_contradiction(const SendReport& report) {
    for (const FlowReport& flow : report.flows) {
        for (const ReceivedBy& each : flow.by_receiver()) {
            const ToldTimes times{flow.began.value_or(report.started_at), each.delay_bound};
            if (std::string what = each.received ? contradiction(flow, *each.received, times) : ""; not what.empty()) {
                return what;
            }
        }
    }
    return contradiction_of_all(report);
}

}  // namespace groma
