#include "sender/engine/flow_sender.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include "common/model/flow/sharing.hpp"
#include "common/wire/stream_frame.hpp"

namespace groma {

namespace {

/// The packet at the deadline and the next one, which shows whether a batch is possible.
constexpr std::size_t kDrawnAhead = 2;

/// For counters that only one thread writes.
void grow(std::atomic<std::uint64_t>& counter, std::uint64_t by) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
}

}  // namespace

FlowSender::FlowSender(FlowToSend flow, std::uint32_t place, std::size_t largest_batch)
    : id_(flow.spec.id),
      transport_(flow.spec.transport),
      format_(flow.spec.header, flow.seal),
      lateness_(flow.spec.lateness),
      greedy_(is_greedy(flow.spec.idt)),
      shares_calls_(shares_datagrams(flow.spec) and flow.spec.lateness == LatenessPolicy::catch_up and not greedy_),
      may_be_cut_up_(not flow.spec.options.dont_fragment.value_or(false)),
      lasts_until_(flow.spec.stop.duration ? flow.spec.start_delay + *flow.spec.stop.duration : Nanos::max()),
      channel_(std::move(flow.channel)),
      place_(place),
      ahead_(Schedule(flow.spec), std::max(largest_batch, kDrawnAhead)),
      payload_(*flow.payload),
      lead_(flow.spec.options.departure_lead.value_or(Nanos{0})) {
    if (greedy_) {
        channel_->limit_unsent(unsent_limit_);
    }
}

FlowSender::Turn FlowSender::begin(MonoTime start) noexcept {
    start_ = fitted_at_ = start;
    if (lasts_until_ != Nanos::max()) {
        overtime_.end_at(start + lasts_until_);
        closes_at_ = greedy_ ? start + lasts_until_ : closes_at_;
    }
    return next_turn(false);
}

FlowSender::Turn FlowSender::take_turn(MonoTime now, SendTools& tools) noexcept {
    if (overtime_.is_over(now)) {
        return give_up();
    }
    overtime_.note_turn(now);
    if (now >= closes_at_) {
        ahead_.end();
        closes_at_ = MonoTime::max();
    }
    if (greedy_ and now - fitted_at_ >= kBetweenFits) {
        fit_unsent(now);
    }
    if (loop_) {
        loop_->take(now, tools.replies);
        loop_->note(channel_->connections(), now);
        if (loop_->over()) {
            return fail_with(ECONNRESET);
        }
    }
    if (lateness_ == LatenessPolicy::skip and not leave_out_missed(now)) {
        return next_turn(false);
    }
    const std::size_t due = collect(now, tools.frames);
    if (due == 0) {
        return flush();
    }
    bool blocked = false;
    for (std::size_t done = 0; done < due and not blocked;) {
        const SendOutcome outcome = attempt(std::span(tools.frames).subspan(done, due - done), tools);
        if (broke(outcome)) {
            return Turn::ended;
        }
        if (is_to_pause(outcome)) {
            return pause(now);
        }
        done += outcome.sent + skip(outcome);
        blocked = outcome.status == SendStatus::would_block;
    }
    return next_turn(blocked);
}

std::size_t FlowSender::collect(MonoTime now, std::span<Frame> frames) noexcept {
    const Nanos last = last_offset_to_send(now);
    PayloadCursor payload = payload_;
    std::size_t count = 0;
    std::size_t bytes = 0;
    const std::size_t allowed = loop_ ? loop_->window().room() : frames.size();
    const std::size_t most = std::min({frames.size(), ahead_.room(), allowed});
    while (count < most) {
        const Departure* const departure = ahead_.peek(count);
        if (departure == nullptr or departure->offset > last) {
            break;
        }
        bytes += departure->size;
        if (count > 0 and bytes > (greedy_ ? kLargestGreedyBatchBytes : kLargestBatchBytes)) {
            break;
        }
        Frame& frame = frames[count];
        const std::size_t room = room_in(transport_, departure->size);
        frame.header_bytes = static_cast<std::uint8_t>(format_.start_size(room, PacketKind::packet));
        frame.rest = payload.next(departure->size).subspan(frame.header_bytes);
        ++count;
    }
    return count;
}

void FlowSender::warm_up(SendTools& tools) noexcept {
    const std::span<Frame> first = std::span(tools.frames).first(1);
    if (collect(deadline_, first) == 1) {
        write_header(0, tools.clock.wall_now(), first[0]);
        __builtin_prefetch(first[0].rest.data());
        channel_->warm_up();
    }
}

std::uint32_t FlowSender::write_header(std::size_t place, WallTime sent_at, Frame& frame) noexcept {
    const Departure& departure = *ahead_.peek(place);
    const auto seq = static_cast<std::uint32_t>(seq_of(departure));
    format_.write(PacketHeader{seq, sent_at, id_}, room_in(transport_, departure.size), frame.header);
    return seq;
}

SendOutcome FlowSender::attempt(std::span<Frame> frames, SendTools& tools) noexcept {
    // One stamp for all packets of the call. Both clocks are read together, just before it.
    const SendStamps now = may_be_early() ? read_clocks_closely(tools.clock) : read_clocks(tools.clock);
    for (std::size_t i = 0; i < frames.size(); ++i) {
        frames[i].departs = leaves_at(*ahead_.peek(i), now.mono);
        const WallTime departure = now.wall + (frames[i].departs - now.mono);
        const std::uint32_t seq = write_header(i, departure, frames[i]);
        if (times_ != nullptr) {
            times_->put(seq, departure);
        }
    }
    note_range(frames.size(), now.wall);
    const SendOutcome outcome = channel_->send(frames);
    keep_records(outcome.sent, outcome.sent, now, tools.queue);
    return outcome;
}

std::size_t FlowSender::offer(MonoTime now, std::span<Frame> frames) noexcept {
    return now >= overtime_.gives_up_at() ? 0 : collect(now, frames);
}

void FlowSender::stamp(std::span<Frame> frames, WallTime sent_at) noexcept {
    for (std::size_t i = 0; i < frames.size(); ++i) {
        (void)write_header(i, sent_at, frames[i]);
    }
    note_range(frames.size(), sent_at);
}

void FlowSender::note_range(std::size_t packets, WallTime first_leaves) noexcept {
    if (range_ != nullptr and packets > 0) {
        range_->reach(seq_of(*ahead_.peek(packets - 1)), first_leaves);
    }
}

FlowSender::Turn FlowSender::settle(const SendOutcome& outcome, std::size_t batch, const SendStamps& stamps,
                                    SentQueue& queue) noexcept {
    keep_records(outcome.sent, batch, stamps, queue);
    overtime_.note_turn(stamps.mono);
    if (broke(outcome)) {
        return Turn::ended;
    }
    skip(outcome);
    return next_turn(outcome.status == SendStatus::would_block);
}

void FlowSender::keep_records(std::size_t sent, std::size_t batch, const SendStamps& stamps,
                              SentQueue& queue) noexcept {
    if (sent == 0) {
        return;
    }
    note_lateness(stamps.mono, *ahead_.peek(0));
    const std::size_t together = leaving_together(sent, stamps.mono);
    counts_.held_by_kernel += sent - together;
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < sent; ++i) {
        const Departure& departure = *ahead_.peek(i);
        const MonoTime leaves = leaves_at(departure, stamps.mono);
        lead_.note_departure(leaves);
        scheduled_.include({departure.offset, departure.offset});
        sent_.include({leaves - start_, leaves - start_});
        const SentRecord record{.seq = seq_of(departure),
                                .sent_at = stamps.wall + (leaves - stamps.mono),
                                .lateness = greedy_ ? Nanos{0} : leaves - (start_ + departure.offset),
                                .size = departure.size,
                                .batch = static_cast<std::uint32_t>(not lead_.any() ? batch
                                                                    : i < together  ? together
                                                                                    : 1)};
        counts_.unnumbered +=
            format_.start_size(room_in(transport_, departure.size), PacketKind::packet) == 0 ? 1U : 0U;
        counts_.records_lost += queue.push({record, place_}) ? 0U : 1U;
        bytes += departure.size;
        largest_sent_ = std::max(largest_sent_, departure.size);
    }
    if (loop_) {
        loop_->window().sent(seq_of(*ahead_.peek(0)), sent, stamps.mono);
    }
    drop(sent);
    grow(packets_, sent);
    grow(bytes_, bytes);
}

std::size_t FlowSender::leaving_together(std::size_t sent, MonoTime now) noexcept {
    if (not lead_.any()) {
        return sent;
    }
    std::size_t count = 0;
    while (count < sent and due_at(*ahead_.peek(count)) <= now) {
        ++count;
    }
    return count;
}

bool FlowSender::broke(const SendOutcome& outcome) noexcept {
    if (outcome.status != SendStatus::closed and outcome.status != SendStatus::failed) {
        return false;
    }
    (void)fail_with(outcome.errno_value);
    return true;
}

FlowSender::Turn FlowSender::fail_with(int errno_value) noexcept {
    errno_value_ = errno_value;
    end(FlowEnd::failed);
    return Turn::ended;
}

std::size_t FlowSender::skip(const SendOutcome& outcome) noexcept {
    const std::size_t lost = refusals_.count(outcome, counts_);
    drop(lost);
    return lost;
}

void FlowSender::drop(std::size_t departures) noexcept {
    for (std::size_t i = 0; i < departures; ++i) {
        (void)payload_.next(ahead_.peek(i)->size);
    }
    ahead_.drop(departures);
}

FlowSender::Turn FlowSender::flush() noexcept {
    const SendOutcome outcome = channel_->holding() ? channel_->send({}) : SendOutcome{};
    return broke(outcome) ? Turn::ended : next_turn(outcome.status == SendStatus::would_block);
}

FlowSender::Turn FlowSender::next_turn(bool blocked) noexcept {
    const ConnectionCounts connections = loop_ ? channel_->connections() : ConnectionCounts{};
    if (loop_) {
        loop_->note(connections, overtime_.last_turn());
    }
    const Departure* next = nullptr;
    for (std::size_t place = kDrawnAhead; place-- > 0;) {
        next = ahead_.peek(place);
    }
    // Wake when half the lead remains; everything within the full lead then goes in one call.
    deadline_ = next == nullptr ? MonoTime::max() : due_at(*next) - lead_.most() / 2;
    const bool is_blocked = blocked or channel_->holding();
    overtime_.note_blocked(is_blocked);
    if (is_blocked) {
        counts_.blocked += connections.connecting ? 0U : 1U;
        return Turn::blocked;
    }
    if (loop_ and (next == nullptr ? loop_->window().waits() : loop_->window().room() == 0)) {
        deadline_ = MonoTime::min();
        return loop_->has_more() ? Turn::ready : Turn::waiting;
    }
    if (next != nullptr) {
        return Turn::ready;
    }
    if (const auto poll = lead_.next_poll(*channel_, overtime_.last_turn())) {
        deadline_ = *poll;
        return Turn::ready;
    }
    finish_channel(Nanos{0});
    end(FlowEnd::complete);
    return Turn::ended;
}

bool FlowSender::is_to_pause(const SendOutcome& outcome) const noexcept {
    return greedy_ and outcome.status == SendStatus::dropped and
           (outcome.errno_value == ENOBUFS or outcome.errno_value == ENOMEM);
}

void FlowSender::fit_unsent(MonoTime now) noexcept {
    const std::uint64_t bytes = bytes_.load(std::memory_order_relaxed);
    const double rate = static_cast<double>(bytes - fitted_bytes_) / to_seconds(now - fitted_at_);
    const auto fitting =
        std::clamp(static_cast<std::size_t>(rate * to_seconds(kUnsentTime)), kLeastUnsent, kMostUnsent);
    fitted_at_ = now;
    fitted_bytes_ = bytes;
    if (fitting > unsent_limit_ + unsent_limit_ / 2 or fitting < unsent_limit_ / 2) {
        unsent_limit_ = fitting;
        channel_->limit_unsent(unsent_limit_);
    }
}

FlowSender::Turn FlowSender::pause(MonoTime now) noexcept {
    ++counts_.blocked;
    deadline_ = now + kPause;
    return Turn::ready;
}

FlowSender::Turn FlowSender::give_up() noexcept {
    counts_.cut_short = not greedy_ and ahead_.peek(0) != nullptr;
    end(FlowEnd::complete);
    return Turn::ended;
}

void FlowSender::end(FlowEnd how) noexcept {
    if (not ended_.load(std::memory_order_relaxed)) {
        counts_.end = how;
        ended_.store(true, std::memory_order_release);
    }
}

}  // namespace groma
