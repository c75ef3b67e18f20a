#include "sender/engine/worker_thread.hpp"

#include <sys/prctl.h>

#include <exception>
#include <future>
#include <new>
#include <utility>

#include "common/net/channel/receive_batch.hpp"
#include "common/os/process.hpp"
#include "common/os/scheduling.hpp"
#include "sender/engine/realtime_budget.hpp"

namespace groma {

namespace {

/// Steps between two looks at the budget of real time: well below a millisecond of spinning.
constexpr int kStepsBetweenLooks = 1024;
constexpr const char* kTooBusy =
    "a thread that sends gave up real time, as it was busy for more than 90 % of the time: the kernel would have "
    "stopped it for 50 ms in every second (more threads on more cores, or a lower rate)";

}  // namespace

void WorkerThread::start(MonoTime at, const ThreadMaker& make_thread, std::function<void()> ended) {
    std::promise<void> prepared;
    thread_ = make_thread([this, at, &prepared, ended = std::move(ended)] {
        try {
            if (worker_.takes_replies()) {
                ReceiveBatch::make_for_this_thread();
            }
        } catch (const std::bad_alloc&) {
            return prepared.set_exception(std::current_exception());
        }
        prepared.set_value();
        take_place();
        run(at);
        ended();
    });
    prepared.get_future().get();
}

void WorkerThread::join() {
    if (thread_.joinable()) {
        thread_.join();
        if (too_busy_ and place_.realtime == Realtime::on) {
            warnings_.emplace_back(kTooBusy);
        }
    }
}

void WorkerThread::take_place() {
    set_thread_name("send worker");
    // Without it the kernel may add 50 us to every sleep, to wake several threads at once.
    ::prctl(PR_SET_TIMERSLACK, 1UL);
    if (place_.core) {
        if (std::string refusal = run_on_cores(std::span(&*place_.core, 1)); not refusal.empty()) {
            warnings_.push_back("a thread that sends " + std::move(refusal));
        }
    }
    if (place_.realtime != Realtime::off) {
        std::string refusal = become_realtime();
        realtime_ = refusal.empty();
        if (not realtime_ and place_.realtime == Realtime::on) {
            warnings_.push_back(std::move(refusal));
        }
        if (not realtime_) {
            ask_for_short_slice();
        }
    }
}

void WorkerThread::run(MonoTime at) noexcept {
    worker_.begin(at);
    if (realtime_) {
        run_in_realtime();
    }
    while (worker_.step() != SendWorker::Step::finished) {
    }
}

void WorkerThread::run_in_realtime() noexcept {
    RealtimeBudget budget;
    while (not budget.exceeded(clock_.now(), worker_.slept())) {
        for (int step = 0; step < kStepsBetweenLooks; ++step) {
            if (worker_.step() == SendWorker::Step::finished) {
                return;
            }
        }
    }
    leave_realtime();
    realtime_ = false;
    too_busy_ = true;
}

}  // namespace groma
