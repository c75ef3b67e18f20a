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

ReplyWorker::ReplyWorker(std::span<FlowReplies* const> flows, ReplyQueue* queue) : queue_(queue) {
    poller_.add(wakeup_.fd(), kWakeupToken);
    flows_.reserve(flows.size());
    for (FlowReplies* replies : flows) {
        const Flow& flow = flows_.emplace_back(replies);
        poller_.add(replies->inbox().fd(), reinterpret_cast<std::uintptr_t>(&flow));
    }
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
    for (const Flow& flow : flows_) {
        for (int batch = 0; batch < kBatchesAtEnd and flow.replies->take_some(scratch_, queue_) > 0; ++batch) {
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
        more = flow.replies->take_some(scratch_, queue_) == scratch_.size();
    }
    if (more) {
        flow.in_line = true;
        line_.push_back(&flow);
    } else if (flow.replies->inbox().state() != InboxState::open) {
        poller_.remove(flow.replies->inbox().fd());
    }
}

}  // namespace groma
