#include "sender/engine/reply_worker.hpp"

#include <algorithm>
#include <exception>
#include <future>
#include <new>
#include <utility>

#include "common/net/channel/receive_batch.hpp"
#include "common/os/process.hpp"

namespace groma {

namespace {

/// The most batches taken from one flow per turn.
constexpr int kBatchesInTurn = 8;
/// The most batches taken at the end: more than a socket's buffer holds, but finite.
constexpr int kBatchesAtEnd = 8192;
/// Distinct from all flows' tokens, which are addresses.
constexpr std::uint64_t kWakeupToken = 0;

}  // namespace

ReplyWorker::ReplyWorker(std::vector<RepliesOfFlow> flows, ReplyQueue* queue) : queue_(queue) {
    poller_.add(wakeup_.fd(), kWakeupToken);
    for (RepliesOfFlow& given : flows) {
        const auto& flow = flows_.emplace_back(std::make_unique<Flow>(std::move(given)));
        poller_.add(flow->inbox->fd(), reinterpret_cast<std::uintptr_t>(flow.get()));
    }
    std::ranges::sort(flows_, {}, [](const auto& flow) { return flow->place; });
    line_.reserve(flows_.size());
    turn_.reserve(flows_.size());
}

void ReplyWorker::start(const ThreadMaker& make_thread) {
    std::promise<void> prepared;
    thread_ = make_thread([this, &prepared] {
        try {
            ReceiveBatch::make_for_this_thread();
        } catch (const std::bad_alloc&) {
            return prepared.set_exception(std::current_exception());
        }
        prepared.set_value();
        run();
    });
    prepared.get_future().get();
}

void ReplyWorker::stop() noexcept {
    if (thread_.joinable()) {
        stopping_ = true;
        wakeup_.notify();
        thread_.join();
    }
}

void ReplyWorker::run() noexcept {
    set_thread_name("groma-replies");
    while (not stopping_) {
        for (const Ready& ready : poller_.wait(line_.empty() ? std::nullopt : std::optional(Nanos{0}))) {
            if (ready.token == kWakeupToken) {
                wakeup_.clear();
                continue;
            }
            Flow& flow = *reinterpret_cast<Flow*>(static_cast<std::uintptr_t>(ready.token));
            if (not flow.in_line) {
                receive(flow);
            }
        }
        serve_line();
    }
    for (const auto& flow : flows_) {
        for (int batch = 0; batch < kBatchesAtEnd and take_some(*flow) > 0; ++batch) {
        }
    }
}

void ReplyWorker::serve_line() noexcept {
    turn_.swap(line_);
    for (Flow* flow : turn_) {
        flow->in_line = false;
        receive(*flow);
    }
    turn_.clear();
}

void ReplyWorker::receive(Flow& flow) noexcept {
    bool more = true;
    for (int batch = 0; batch < kBatchesInTurn and more; ++batch) {
        more = take_some(flow) == scratch_.size();
    }
    if (more) {
        flow.in_line = true;
        line_.push_back(&flow);
    } else if (flow.inbox->state() != InboxState::open) {
        poller_.remove(flow.inbox->fd());
    }
}

std::size_t ReplyWorker::take_some(Flow& flow) noexcept {
    const std::size_t count = flow.inbox->drain(scratch_);
    for (const Arrival& reply : std::span(scratch_).first(count)) {
        const auto record = flow.meter.take(reply);
        if (record and queue_ != nullptr) {
            flow.records_lost += queue_->push({*record, flow.place}) ? 0U : 1U;
        }
    }
    flow.returned.store(flow.meter.result().returned, std::memory_order_relaxed);
    return count;
}

const ReplyWorker::Flow* ReplyWorker::find(std::uint32_t place) const noexcept {
    const auto found = std::ranges::lower_bound(flows_, place, {}, [](const auto& flow) { return flow->place; });
    return found != flows_.end() and (*found)->place == place ? found->get() : nullptr;
}

std::uint64_t ReplyWorker::returned(std::uint32_t place) const noexcept {
    const Flow* const flow = find(place);
    return flow == nullptr ? 0 : flow->returned.load(std::memory_order_relaxed);
}

RoundTrip ReplyWorker::result(std::uint32_t place) const {
    const Flow* const flow = find(place);
    if (flow == nullptr) {
        return {};
    }
    RoundTrip result = flow->meter.result();
    const InboxCounts& counts = flow->inbox->counts();
    result.foreign = counts.foreign;
    result.malformed += counts.malformed;
    result.kernel_drops = counts.kernel_drops;
    result.refused = counts.refused;
    result.records_lost = flow->records_lost;
    return result;
}

}  // namespace groma
