#include "sender/engine/round_trip_flows.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <variant>

#include "common/base/errors.hpp"
#include "common/model/flow/flow_spread.hpp"
#include "common/wire/stream_frame.hpp"

namespace groma {

namespace {

/// Times are kept for so long at the flow's mean rate, and for so many packets at least and at most.
constexpr double kSecondsKept = 4;
constexpr double kFewestKept = 1024;
constexpr double kMostKept = 65536;

/// 0 when it is not known at a glance.
std::size_t smallest_size(const Distribution& size) {
    if (const auto* constant = std::get_if<Constant>(&size)) {
        return static_cast<std::size_t>(std::max(constant->value, 0.0));
    }
    if (const auto* uniform = std::get_if<Uniform>(&size)) {
        return static_cast<std::size_t>(std::max(uniform->low, 0.0));
    }
    return 0;
}

/// Whether packets of the flow can have a number and no time.
bool may_lack_times(const FlowSpec& spec) {
    constexpr std::size_t kWithTime = 12;
    if (spec.header != HeaderLevel::full) {
        return spec.header == HeaderLevel::sequence;
    }
    const std::size_t smallest = std::max<std::size_t>(smallest_size(spec.size), 1);
    return smallest < kPacketHeaderSize and header_bytes_for(spec.transport, smallest, spec.header) < kWithTime;
}

std::unique_ptr<SendTimes> times_for(const FlowSpec& spec) {
    if (not may_lack_times(spec)) {
        return nullptr;
    }
    const double packets = std::clamp(expected_rate(spec) * kSecondsKept, kFewestKept, kMostKept);
    return std::make_unique<SendTimes>(static_cast<std::size_t>(packets));
}

std::unique_ptr<Inbox> open_replies(const FlowToSend& flow, Clock& clock) {
    auto inbox =
        flow.channel->open_replies({.flow = flow.spec.id, .header = flow.spec.header, .seal = flow.seal}, clock);
    if (not inbox) {
        throw RunError("flow " + std::to_string(flow.spec.id.value) + ": there is no round-trip meter over " +
                       std::string(traits(flow.spec.transport).title) + ": use --meter one-way");
    }
    return inbox;
}

}  // namespace

RoundTripFlows::RoundTripFlows(const std::vector<FlowToSend>& flows, std::size_t queue_records, bool logged,
                               Clock& clock)
    : times_(flows.size()),
      sent_(flows.size()),
      replies_(flows.size()),
      queue_records_(logged ? queue_records : 0),
      queue_of_(flows.size()),
      waits_(flows.size()) {
    std::vector<FlowReplies*> all;
    all.reserve(flows.size());
    for (std::uint32_t place = 0; place < flows.size(); ++place) {
        if (flows[place].spec.meter != Meter::round_trip) {
            continue;
        }
        times_[place] = times_for(flows[place].spec);
        sent_[place] = std::make_unique<SentRange>();
        replies_[place] =
            std::make_unique<FlowReplies>(place, open_replies(flows[place], clock), *sent_[place], times_[place].get());
        if (flows[place].seal) {
            replies_[place]->guard_against_replays();
        }
        waits_[place] = flows[place].spec.in_flight > 0;
        if (not waits_[place]) {
            all.push_back(replies_[place].get());
        }
    }
    if (all.empty()) {
        return;
    }
    ReplyQueue* const queue = new_queue();
    for (const FlowReplies* replies : all) {
        queue_of_[replies->place()] = queue;
    }
    worker_ = std::make_unique<ReplyWorker>(all, queue);
}

/// Null: no records are wanted.
ReplyQueue* RoundTripFlows::new_queue() {
    return queue_records_ == 0 ? nullptr : queues_.emplace_back(std::make_unique<ReplyQueue>(queue_records_)).get();
}

void RoundTripFlows::split_queues(const std::vector<std::vector<std::uint32_t>>& shares) {
    for (const std::vector<std::uint32_t>& share : shares) {
        ReplyQueue* queue = nullptr;
        for (const std::uint32_t place : share) {
            if (waits_[place]) {
                queue = queue == nullptr ? new_queue() : queue;
                queue_of_[place] = queue;
            }
        }
    }
}

std::vector<ReplyQueue*> RoundTripFlows::queues() const {
    std::vector<ReplyQueue*> all;
    all.reserve(queues_.size());
    for (const std::unique_ptr<ReplyQueue>& queue : queues_) {
        all.push_back(queue.get());
    }
    return all;
}

}  // namespace groma
