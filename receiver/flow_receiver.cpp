#include "receiver/flow_receiver.hpp"

#include <algorithm>

#include "common/model/flow/sharing.hpp"
#include "common/net/message/sctp_association.hpp"
#include "common/net/socket/kernel_stamps.hpp"
#include "common/time/difference.hpp"

namespace groma {

FlowReceiver::FlowReceiver(const FlowSpec& spec, std::unique_ptr<Inbox> inbox)
    : id_(spec.id),
      transport_(spec.transport),
      meter_(spec.meter),
      numbered_(spec.header != HeaderLevel::none),
      inbox_(std::move(inbox)) {
    if (spec.response) {
        responses_.emplace(*spec.response, size_limits(spec), seed_of(spec, Process::response));
    }
    if (spec.options.association) {
        share_with(*this, spec.options);
    }
    guard(spec);
}

FlowReceiver::FlowReceiver(const FlowSpec& spec, FlowReceiver& first)
    : id_(spec.id),
      transport_(spec.transport),
      meter_(spec.meter),
      numbered_(spec.header != HeaderLevel::none),
      first_(&first) {
    first.share_with(*this, spec.options);
    guard(spec);
}

void FlowReceiver::guard(const FlowSpec& spec) noexcept {
    if (spec.seal == Sealing::on) {
        tracker_.take_old_ones_for_copies();
    }
}

void FlowReceiver::share_with(FlowReceiver& flow, const TransportOptions& options) {
    if (traits(transport_).sharing == SocketSharing::by_header) {
        sharing_.insert(std::ranges::upper_bound(sharing_, flow.id_, {}, &FlowReceiver::id_), &flow);
    } else {
        sharing_.insert(sharing_.end(), sctp_streams(options), &flow);
    }
}

void FlowReceiver::log_to(ArrivalQueue& queue) {
    queue_ = &queue;
    for (FlowReceiver* flow : sharing_) {
        flow->queue_ = &queue;
    }
}

// Flows that share a socket mostly have consecutive numbers.
FlowReceiver* FlowReceiver::owner_of(const Arrival& arrival) const noexcept {
    if (traits(transport_).sharing != SocketSharing::by_header) {
        return arrival.stream < sharing_.size() ? sharing_[arrival.stream] : nullptr;
    }
    const FlowId id = arrival.header.flow.value_or(FlowId{});
    const std::size_t guess = static_cast<std::size_t>(id.value) - sharing_.front()->id_.value;
    if (guess < sharing_.size() and sharing_[guess]->id_ == id) {
        return sharing_[guess];
    }
    const auto found = std::ranges::lower_bound(sharing_, id, {}, &FlowReceiver::id_);
    return found != sharing_.end() and (*found)->id_ == id ? *found : nullptr;
}

void FlowReceiver::hand_out(const Arrival& arrival) noexcept {
    FlowReceiver* const flow = owner_of(arrival);
    if (flow == nullptr) {
        ++astray_;
    } else if (arrival.header.flow.value_or(flow->id_) != flow->id_) {
        ++flow->astray_;
    } else {
        flow->take(arrival);
        flow->publish();
    }
}

void FlowReceiver::take(const Arrival& arrival) noexcept {
    ReceivedRecord record{.seq = ReceivedRecord::kNoSeq,
                          .sent_at = arrival.header.sent_at.value_or(ReceivedRecord::kNoTime),
                          .received_at = arrival.received_at,
                          .size = arrival.size,
                          .ttl = arrival.ttl,
                          .ds_byte = arrival.ds_byte};
    first_arrival_ = packets_ == 0 ? arrival.received_at : std::min(first_arrival_, arrival.received_at);
    last_arrival_ = packets_ == 0 ? arrival.received_at : std::max(last_arrival_, arrival.received_at);
    ++packets_;
    bytes_ += arrival.size;
    bool first_copy = true;
    if (arrival.header.seq) {
        record.seq = unwrapper_.unwrap(*arrival.header.seq);
        first_copy = tracker_.add(record.seq) != SequenceKind::duplicate;
    } else {
        ++unnumbered_;
    }
    if (first_copy and arrival.header.sent_at) {
        take_delay(record.sent_at, record.received_at);
    }
    if (queue_ != nullptr) {
        (void)queue_->push({id_, record});
    }
}

void FlowReceiver::take_delay(WallTime sent_at, WallTime received_at) {
    if (live_delays_ != nullptr) {
        if (const Nanos delay = difference(received_at, sent_at); not is_limited(delay)) {
            live_delays_->add(delay);
        }
    }
    if (skips_delays_) {
        return;
    }
    if (delays_ == nullptr) {
        delays_ = std::make_unique<DelayMeter>();
    }
    delays_->add(sent_at, received_at);
}

void FlowReceiver::publish() noexcept {
    constexpr auto kRelaxed = std::memory_order_relaxed;
    const std::uint64_t unique = tracker_.unique();
    const std::uint64_t expected = tracker_.next_expected();
    seen_packets_.store(packets_, kRelaxed);
    seen_bytes_.store(bytes_, kRelaxed);
    seen_unique_.store(unique + unnumbered_, kRelaxed);
    seen_missing_.store(expected > unique ? expected - unique : 0, kRelaxed);
    seen_open_.store(inbox().state() == InboxState::open, kRelaxed);
    seen_replying_.store(inbox().holding(), kRelaxed);
}

void FlowReceiver::reflect(std::span<Arrival> arrivals) noexcept {
    if (responses_) {
        for (Arrival& arrival : arrivals) {
            if (arrival.header.flow) {  // what has no full header is no request, and gets back no more than came
                arrival.size = responses_->draw(response_draws_);
            }
        }
    }
    if (not arrivals.empty() or inbox_->holding()) {
        replies_ += inbox_->reflect(arrivals).sent;
    }
}

std::size_t FlowReceiver::receive(std::span<Arrival> scratch) noexcept {
    const std::size_t count = inbox_->drain(scratch);
    if (not sharing_.empty()) {
        std::ranges::for_each(scratch.first(count), [this](const Arrival& arrival) { hand_out(arrival); });
        if (inbox_->state() != InboxState::open) {
            std::ranges::for_each(sharing_, [](FlowReceiver* flow) { flow->publish(); });
        }
        return count;
    }
    for (const Arrival& arrival : scratch.first(count)) {
        take(arrival);
    }
    if (meter_ == Meter::round_trip) {
        reflect(scratch.first(count));
    }
    publish();
    return count;
}

FlowCounts FlowReceiver::counts() const noexcept {
    constexpr auto kRelaxed = std::memory_order_relaxed;
    return {.packets = seen_packets_.load(kRelaxed),
            .bytes = seen_bytes_.load(kRelaxed),
            .unique = seen_unique_.load(kRelaxed),
            .missing = seen_missing_.load(kRelaxed),
            .open = seen_open_.load(kRelaxed),
            .replying = seen_replying_.load(kRelaxed)};
}

std::optional<Interest> FlowReceiver::interest() const noexcept {
    if (inbox_->state() == InboxState::open) {
        return inbox_->holding() ? Interest::read_and_write : Interest::read;
    }
    return inbox_->holding() ? std::optional(Interest::write) : std::nullopt;
}

std::string FlowReceiver::state_in_words() const {
    if (inbox().state() == InboxState::broken) {
        return "the connection broke, or what came over it was no flow of this program";
    }
    if (traits(transport_).connects and not inbox().remote_address().valid()) {
        return "the sender never connected to the flow's port";
    }
    return "ok";
}

bool FlowReceiver::tells_copies() const noexcept {
    return traits(transport_).delivers_once or (numbered_ and unnumbered_ == 0);
}

ReceivedFlow FlowReceiver::result() const {
    const InboxCounts counts = shares_an_inbox() ? InboxCounts{} : inbox_->counts();  // the first one reports them
    return {.flow = id_,
            .packets = packets_,
            .bytes = bytes_,
            .duplicates = tracker_.duplicates(),
            .reordered = tracker_.reordered(),
            .foreign = counts.foreign,
            .malformed = counts.malformed + astray_,
            .kernel_drops = counts.kernel_drops,
            .records_lost = 0,
            .replies = replies_,
            .replies_lost = meter_ == Meter::round_trip ? packets_ - replies_ : 0,
            .state = state_in_words(),
            .coalescing = coalescing(),
            .first_arrival = first_arrival_,
            .last_arrival = last_arrival_,
            .unstamped = counts.unstamped,
            .numbers_end = tracker_.next_expected(),
            .forged = counts.forged,
            .delays = delays() != nullptr ? std::optional(delays()->figures()) : std::nullopt};
}

const DelayMeter* FlowReceiver::delays() const noexcept {
    return inbox().timestamps() == stamps_in_words(StampSource::hardware) ? nullptr : delays_.get();
}

std::optional<Coalescing> FlowReceiver::coalescing() const {
    const auto gro = shares_an_inbox() ? std::nullopt : inbox_->gro();
    if (not gro) {
        return std::nullopt;
    }
    return Coalescing{.packets = inbox_->counts().coalesced, .since = gro->since, .why = gro->why};
}

}  // namespace groma
