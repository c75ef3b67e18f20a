#include "receiver/receive_worker.hpp"

#include <future>

#include "common/base/errors.hpp"
#include "common/net/channel/receive_batch.hpp"
#include "common/os/process.hpp"

namespace groma {

namespace {

/// The most batches taken from one flow per turn.
constexpr int kBatchesInTurn = 2;
/// The most batches taken when a flow leaves: more than a socket's buffer holds, but finite.
constexpr int kBatchesAtEnd = 8192;
/// A resting flow is retried after an idle time or after this number of turns of the loop.
constexpr Nanos kLongestRest = std::chrono::milliseconds(200);
constexpr unsigned kTurnsOfRest = 128;
/// Distinct from all flows' tokens, which are addresses.
constexpr std::uint64_t kWakeupToken = 0;

std::uint64_t token_of(const FlowReceiver* flow) {
    return reinterpret_cast<std::uintptr_t>(flow);
}

FlowReceiver& flow_of(std::uint64_t token) {
    return *reinterpret_cast<FlowReceiver*>(static_cast<std::uintptr_t>(token));
}

}  // namespace

ReceiveWorker::ReceiveWorker(const std::string& name) {
    poller_.add(wakeup_.fd(), kWakeupToken);
    thread_ = std::thread([this, name] { receive(name); });
}

ReceiveWorker::~ReceiveWorker() {
    stopping_ = true;
    wakeup_.notify();
    thread_.join();
}

void ReceiveWorker::receive(const std::string& name) noexcept {
    set_thread_name(name);
    while (not stopping_) {
        bool woken = false;
        const auto all_ready = poller_.wait(longest_wait());
        for (const Ready& ready : all_ready) {
            if (ready.token == kWakeupToken) {
                woken = wakeup_.clear();
            } else if (not flow_of(ready.token).in_line()) {
                receive_from(flow_of(ready.token));
            }
        }
        if (not resting_.empty() and (++turns_of_rest_ == kTurnsOfRest or (all_ready.empty() and line_.empty()))) {
            end_rest();
        }
        serve_line();
        if (woken) {
            do_tasks();
        }
    }
}

std::optional<Nanos> ReceiveWorker::longest_wait() const noexcept {
    if (not line_.empty()) {
        return Nanos{0};
    }
    return resting_.empty() ? std::nullopt : std::optional(kLongestRest);
}

void ReceiveWorker::end_rest() noexcept {
    turns_of_rest_ = 0;
    std::erase_if(resting_, [this](FlowReceiver* flow) {
        try {
            poller_.add(flow->inbox().fd(), token_of(flow), flow->watched());
            return true;
        } catch (const SystemError&) {
            return false;  // the kernel still lacks a resource
        }
    });
}

void ReceiveWorker::serve_line() noexcept {
    turn_.swap(line_);
    for (FlowReceiver* flow : turn_) {
        flow->set_in_line(false);
        receive_from(*flow);
    }
    turn_.clear();
}

void ReceiveWorker::receive_from(FlowReceiver& flow) noexcept {
    const int fd = flow.inbox().fd();
    bool more = true;
    for (int batch = 0; batch < kBatchesInTurn and more; ++batch) {
        more = flow.receive(scratch_) == scratch_.size();
    }
    if (more) {
        flow.set_in_line(true);
        line_.push_back(&flow);
    }
    wait_as_it_wants(flow, fd);
}

void ReceiveWorker::wait_as_it_wants(FlowReceiver& flow, int fd_before) noexcept {
    const int fd = flow.inbox().fd();
    if (flow.inbox().cannot_accept()) {
        poller_.remove(fd);
        resting_.push_back(&flow);
        return;
    }
    const auto interest = flow.interest();
    if (not interest) {
        poller_.remove(fd);
        return;
    }
    try {
        if (fd != fd_before) {
            poller_.add(fd, token_of(&flow), *interest);
        } else if (*interest != flow.watched()) {
            poller_.change(fd, token_of(&flow), *interest);
        }
        flow.set_watched(*interest);
    } catch (const SystemError&) {
        // The kernel cannot watch another descriptor: packets that the flow misses count as lost; the last ones are
        // still taken when it leaves.
    }
}

void ReceiveWorker::do_tasks() {
    std::vector<std::function<void()>> tasks;
    {
        const std::lock_guard lock(mutex_);
        tasks.swap(tasks_);
    }
    for (const auto& task : tasks) {
        task();
    }
}

void ReceiveWorker::on_worker(std::function<void()> task) {
    std::packaged_task<void()> packaged(std::move(task));
    std::future<void> done = packaged.get_future();
    {
        const std::lock_guard lock(mutex_);
        tasks_.emplace_back([&packaged] { packaged(); });
    }
    wakeup_.notify();
    done.get();
}

void ReceiveWorker::watch(std::span<FlowReceiver* const> flows) {
    ReceiveBatch::make_for_this_thread();  // out of memory: an error for the caller that adds flows, not for others
    line_.reserve(flows_ + flows.size());
    turn_.reserve(flows_ + flows.size());
    resting_.reserve(flows_ + flows.size());
    try {
        for (FlowReceiver* flow : flows) {
            poller_.add(flow->inbox().fd(), token_of(flow));
        }
    } catch (const SystemError&) {
        for (FlowReceiver* flow : flows) {
            poller_.remove(flow->inbox().fd());
        }
        throw;
    }
    flows_ += flows.size();
}

void ReceiveWorker::unwatch(std::span<FlowReceiver* const> flows) noexcept {
    for (FlowReceiver* flow : flows) {
        for (int batch = 0; batch < kBatchesAtEnd and flow->receive(scratch_) > 0; ++batch) {
        }
        poller_.remove(flow->inbox().fd());
        std::erase(line_, flow);
        std::erase(resting_, flow);
    }
    flows_ -= flows.size();
}

void ReceiveWorker::add(std::span<FlowReceiver* const> flows) {
    on_worker([this, flows] { watch(flows); });
}

void ReceiveWorker::remove(std::span<FlowReceiver* const> flows) noexcept {
    on_worker([this, flows] { unwatch(flows); });
}

}  // namespace groma
