#include "sender/engine/send_worker.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace groma {

namespace {

/// Full sockets are asked so often while other flows keep the worker busy; the call costs a microsecond or so.
constexpr Nanos kBetweenPolls{100'000};
/// A deadline this near comes first, ...
constexpr Nanos kCostOfPoll{20'000};
/// ... unless the sockets have waited so long.
constexpr Nanos kLongestWithoutPoll{1'000'000};
/// With cold caches.
constexpr Nanos kCostOfWarmUp{3'000};
/// Flows on schedule come before those that are behind, but for no longer than this.
constexpr Nanos kPatience{1'000'000};
/// Replies that are taken at once.
constexpr std::size_t kRepliesAtOnce = 64;
/// A turn of a flow that goes as fast as possible is not begun this shortly before a deadline.
constexpr Nanos kCostOfGreedyTurn{50'000};

bool is_next(const Backlog& backlog, bool others_come_first, MonoTime now) noexcept {
    return not backlog.empty() and (not others_come_first or now - backlog.front().since >= kPatience);
}

}  // namespace

SendWorker::SendWorker(std::vector<FlowSender*> flows, const WorkerOptions& options, Clock& clock, WritableWatch& watch)
    : flows_(std::move(flows)),
      clock_(clock),
      watch_(watch),
      queue_(options.queue_records),
      tools_{clock, queue_, std::vector<Frame>(options.largest_batch)},
      heap_(flows_.size()),
      backlog_(flows_.size()),
      greedy_(flows_.size()),
      blocked_(flows_.size()),
      sharers_(options.largest_batch) {
    if (std::ranges::any_of(flows_, &FlowSender::waits_for_replies)) {
        tools_.replies.resize(kRepliesAtOnce);
    }
}

void SendWorker::begin(MonoTime start) noexcept {
    for (std::uint32_t flow = 0; flow < flows_.size(); ++flow) {
        requeue(flow, flows_[flow]->begin(start), MonoTime::min());
    }
}

SendWorker::Step SendWorker::step() noexcept {
    if (asked_.load(std::memory_order_relaxed)) {
        check_requests();
    }
    if (heap_.empty() and backlog_.empty() and greedy_.empty() and blocked_.empty()) {
        return Step::finished;
    }
    const MonoTime now = clock_.now();
    if (poll_is_due(now)) {
        watch_.wait(blocked_.sockets(), Nanos{0});
        unblock_ready(now);
    }
    if (is_next(greedy_, not backlog_.empty() or deadline_within(now + kCostOfGreedyTurn), now)) {
        take_backlog_turn(greedy_, now);
        return Step::sent;
    }
    if (is_next(backlog_, deadline_within(now), now)) {
        take_backlog_turn(backlog_, now);
        return Step::sent;
    }
    if (heap_.empty()) {
        wait(now, now + Pacer::kLongestSleep);
        return Step::waited;
    }
    const Pacer::Advice advice = pacer_.advise(now, heap_.top().at);
    if (advice.action == Pacer::Action::send or
        (advice.action == Pacer::Action::spin and flows_[heap_.top().flow]->may_be_early())) {
        take_scheduled_turn(now);
        return Step::sent;
    }
    if (advice.action == Pacer::Action::sleep) {
        wait(now, advice.until);
        return Step::waited;
    }
    warm_up(now);
    return Step::spinning;
}

// Once before each deadline, if there is time.
void SendWorker::warm_up(MonoTime now) noexcept {
    const DeadlineHeap::Entry next = heap_.top();
    if (next.at != warmed_up_for_ and next.at - now >= kCostOfWarmUp) {
        warmed_up_for_ = next.at;
        flows_[next.flow]->warm_up(tools_);
    }
}

void SendWorker::ask_to_stop() noexcept {
    stop_.store(true, std::memory_order_relaxed);
    asked_.store(true, std::memory_order_release);
}

void SendWorker::check_requests() noexcept {
    asked_.exchange(false, std::memory_order_acquire);
    const bool stop = stop_.load(std::memory_order_relaxed);
    for (std::uint32_t flow = 0; flow < flows_.size(); ++flow) {
        if (flows_[flow]->failure_requested()) {
            flows_[flow]->fail();
        } else if (stop) {
            flows_[flow]->interrupt();
        }
    }
    const auto has_ended = [this](std::uint32_t flow) { return flows_[flow]->ended(); };
    heap_.remove_if(has_ended);
    backlog_.remove_if(has_ended);
    greedy_.remove_if(has_ended);
    blocked_.remove_if([&](std::uint32_t flow, const pollfd& /*socket*/) { return has_ended(flow); });
}

bool SendWorker::deadline_within(MonoTime until) const noexcept {
    return not heap_.empty() and heap_.top().at <= until;
}

void SendWorker::take_scheduled_turn(MonoTime now) noexcept {
    const std::uint32_t flow = heap_.top().flow;
    if (flows_[flow]->shares_calls()) {
        take_shared_turn(now);
        return;
    }
    const FlowSender::Turn turn = flows_[flow]->take_turn(now, tools_);
    if (turn == FlowSender::Turn::ready and flows_[flow]->next_deadline() > now) {
        heap_.move_top(flows_[flow]->next_deadline());
    } else {
        heap_.pop_top();
        requeue(flow, turn, now);
    }
}

void SendWorker::take_shared_turn(MonoTime now) noexcept {
    const int socket = flows_[heap_.top().flow]->fd();
    std::size_t sharers = 0;
    std::size_t frames = 0;
    std::optional<std::uint32_t> by_itself;
    while (not by_itself and frames < tools_.frames.size() and not heap_.empty() and heap_.top().at <= now) {
        const std::uint32_t flow = heap_.top().flow;
        if (not flows_[flow]->shares_calls() or flows_[flow]->fd() != socket) {
            break;
        }
        heap_.pop_top();
        const std::size_t count = flows_[flow]->offer(now, std::span(tools_.frames).subspan(frames));
        if (count == 0) {
            by_itself = flow;
        } else {
            sharers_[sharers++] = {flow, count};
            frames += count;
        }
    }
    if (sharers > 0) {
        send_shared(sharers, frames, now);
    }
    if (by_itself) {
        requeue(*by_itself, flows_[*by_itself]->take_turn(now, tools_), now);
    }
}

// An error, or a full socket, counts for the flow whose packet met it; the packets after it are still due.
void SendWorker::send_shared(std::size_t sharers, std::size_t frames, MonoTime now) noexcept {
    const SendStamps stamps{.wall = clock_.wall_now(), .mono = clock_.now()};
    const std::span<Frame> all = std::span(tools_.frames).first(frames);
    std::size_t done = 0;
    for (const Sharer& sharer : std::span(sharers_).first(sharers)) {
        flows_[sharer.flow]->stamp(all.subspan(done, sharer.frames), stamps.wall);
        done += sharer.frames;
    }
    const SendOutcome outcome = flows_[sharers_[0].flow]->send(all);
    std::size_t left = outcome.sent;
    bool told = outcome.status == SendStatus::sent;
    for (std::size_t i = 0; i < sharers; ++i) {
        const auto [flow, offered] = sharers_[i];
        SendOutcome of_flow{.sent = std::min(left, offered)};
        left -= of_flow.sent;
        if (not told and (of_flow.sent < offered or i + 1 == sharers)) {
            told = true;
            of_flow.status = outcome.status;
            of_flow.errno_value = outcome.errno_value;
        }
        requeue(flow, flows_[flow]->settle(of_flow, outcome.sent, stamps, tools_.queue), now);
    }
}

void SendWorker::take_backlog_turn(Backlog& backlog, MonoTime now) noexcept {
    const std::uint32_t flow = backlog.pop().flow;
    requeue(flow, flows_[flow]->take_turn(now, tools_), now);
}

// Requeues a flow after its turn, which began at `now`.
void SendWorker::requeue(std::uint32_t flow, FlowSender::Turn turn, MonoTime now) noexcept {
    if (turn == FlowSender::Turn::blocked) {
        blocked_.push(flow, flows_[flow]->fd(), flows_[flow]->waits_for_replies() ? POLLOUT | POLLIN : POLLOUT);
    } else if (turn == FlowSender::Turn::waiting) {
        blocked_.push(flow, flows_[flow]->fd(), POLLIN);
    } else if (turn == FlowSender::Turn::ready) {
        const MonoTime deadline = flows_[flow]->next_deadline();
        if (deadline > now) {
            heap_.push({deadline, flow});
        } else {
            queue_up(flow, now);
        }
    }
}

void SendWorker::queue_up(std::uint32_t flow, MonoTime now) noexcept {
    (flows_[flow]->greedy() ? greedy_ : backlog_).push({flow, now});
}

bool SendWorker::poll_is_due(MonoTime now) const noexcept {
    const bool waits_for_them_alone = heap_.empty() and backlog_.empty() and greedy_.empty();  // wait() asks them
    if (blocked_.empty() or waits_for_them_alone or now - polled_at_ < kBetweenPolls) {
        return false;
    }
    const bool other_is_near = not heap_.empty() and heap_.top().at - now < kCostOfPoll;
    return not other_is_near or now - polled_at_ >= kLongestWithoutPoll;
}

// Queues up the flows whose sockets were found ready, and those whose time is over. Returns: whether there was one.
bool SendWorker::unblock_ready(MonoTime now) noexcept {
    polled_at_ = now;
    return blocked_.remove_if([&](std::uint32_t flow, const pollfd& socket) {
        const bool ready = socket.revents != 0 or flows_[flow]->wanted_at() <= now;
        if (ready) {
            queue_up(flow, now);
        }
        return ready;
    });
}

void SendWorker::wait(MonoTime now, MonoTime until) noexcept {
    if (blocked_.empty()) {
        clock_.sleep_until(until);
        const MonoTime woke = clock_.now();
        slept_ += woke - now;
        pacer_.woke(until, woke);
        return;
    }
    watch_.wait(blocked_.sockets(), std::max(wanted_by(until) - now, Nanos{0}));
    const MonoTime woke = clock_.now();
    slept_ += woke - now;
    if (not unblock_ready(woke) and woke >= until) {
        pacer_.woke(until, woke);
    }
}

MonoTime SendWorker::wanted_by(MonoTime until) noexcept {
    if (takes_replies()) {
        blocked_.for_each([&](std::uint32_t flow) { until = std::min(until, flows_[flow]->wanted_at()); });
    }
    return until;
}

}  // namespace groma
