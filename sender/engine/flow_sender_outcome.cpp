// The outcome of a flow, outside the packet path.
#include <fmt/format.h>

#include <system_error>
#include <utility>

#include "common/base/counted.hpp"
#include "sender/engine/flow_sender.hpp"

namespace groma {

FlowProgress FlowSender::progress() const noexcept {
    return {.flow = id_,
            .packets = packets_.load(std::memory_order_relaxed),
            .bytes = bytes_.load(std::memory_order_relaxed),
            .finished = ended()};
}

std::optional<ConnectionSample> FlowSender::sample_while_sending(MonoTime now) {
    auto state = sample();
    if (state and state->rtt and not ended() and packets_.load(std::memory_order_relaxed) > 0) {
        late_rtts_.note(now, *state->rtt);
    }
    return state;
}

void FlowSender::finish_channel(Nanos limit) noexcept {
    if (not std::exchange(closed_, true)) {
        unflushed_ = not channel_->finish(limit);
        if (const auto state = channel_->sample()) {
            counts_.retransmitted = state->retransmitted;
        }
    }
}

void FlowSender::close(Nanos limit) noexcept {
    finish_channel(counts_.end == FlowEnd::failed ? Nanos{0} : limit);
}

FlowOutcome FlowSender::outcome(const std::string& why_failed) const {
    FlowOutcome outcome;
    outcome.flow = id_;
    outcome.counts = counts_;
    if ((unflushed_ or fits_nowhere()) and outcome.counts.end == FlowEnd::complete) {
        outcome.counts.end = FlowEnd::failed;
    }
    if (outcome.counts.end == FlowEnd::failed) {
        outcome.error = error(why_failed);
    }
    outcome.draws = ahead_.draw_counts();
    outcome.connection = channel_->sample();
    outcome.late_rtt_ns = late_rtts_.histogram();
    outcome.limits = channel_->limits();
    outcome.warnings = channel_->warnings();
    if (std::string warning = size_warning(); not warning.empty() and not fits_nowhere()) {
        outcome.warnings.push_back(std::move(warning));
    }
    if (const auto held = channel_->held_departures()) {
        outcome.queue = held->queue;
        outcome.counts.missed_in_queue = held->missed;
    }
    return outcome;
}

std::string FlowSender::size_warning() const {
    const bool cut_up = may_be_cut_up_ and largest_sent_ > 0;
    const auto path = cut_up or counts_.too_big > 0 ? channel_->path() : std::nullopt;
    if (counts_.too_big > 0) {
        return fmt::format(
            "{} {} too big for the path, and not sent{}", counted(counts_.too_big, "packet"),
            by_count(counts_.too_big, "was", "were"),
            path ? fmt::format(": its MTU is {}, so that sizes up to {} pass", path->mtu, path->payload) : "");
    }
    return path and largest_sent_ > path->payload
               ? fmt::format(
                     "packets of up to {} bytes are cut into fragments: the path's MTU is {} (sizes up to {} "
                     "are not)",
                     largest_sent_, path->mtu, path->payload)
               : std::string();
}

std::string FlowSender::error(const std::string& why_failed) const {
    const std::string to = channel_->remote_address().to_string();
    if (errno_value_ != 0) {
        return fmt::format("sending to {} failed: {}; see whether groma-recv still runs there", to,
                           std::generic_category().message(errno_value_));
    }
    if (not why_failed.empty()) {
        return why_failed;
    }
    if (fits_nowhere()) {
        return "all " + size_warning();
    }
    if (unflushed_) {
        return fmt::format("the last bytes of the stream to {} could not be sent: the receiver has stopped reading",
                           to);
    }
    return fmt::format("the connection to {} is gone; see whether groma-recv still runs there", to);
}

}  // namespace groma
