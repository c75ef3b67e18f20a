#include "tests/world/tasks.hpp"

#include <pthread.h>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include "tests/world/real_calls.hpp"

namespace groma::world {

namespace {

thread_local Task* running = nullptr;

constexpr std::size_t kStackBytes = std::size_t{1} << 20U;
constexpr std::chrono::nanoseconds kLook{100};
constexpr std::uint32_t kMostLooks = 64;  ///< then time passes in larger steps

}  // namespace

/// Gives the turn away at the very end of a thread, after the destructors of its other thread-local objects.
struct TurnGiver {
    Tasks* tasks = nullptr;

    ~TurnGiver() {
        if (tasks != nullptr) {
            running->over = true;
            Task* const self = running;
            Task* const next = tasks->choose();
            running = nullptr;
            self->gone = true;
            tasks->give_turn(next);
        }
    }
};

Task* Tasks::current() noexcept {
    return running;
}

Task& Tasks::spawn(ProcessId process, std::function<void()> work) {
    std::erase_if(tasks_, [](const auto& task) { return task->gone; });
    Task& task = *tasks_.emplace_back(std::make_unique<Task>());
    task.id = next_id_++;
    task.process = process;
    task.work = std::move(work);
    const auto body = [](void* argument) -> void* {
        static thread_local TurnGiver giver;
        const auto [tasks, self] =
            *std::unique_ptr<std::pair<Tasks*, Task*>>(static_cast<std::pair<Tasks*, Task*>*>(argument));
        self->turn.await();
        running = self;
        giver.tasks = tasks;
        std::exchange(self->work, {})();
        return nullptr;
    };
    auto start = std::make_unique<std::pair<Tasks*, Task*>>(this, &task);
    if (const int error = real::create_thread(kStackBytes, &task.thread, body, start.get()); error != 0) {
        tasks_.pop_back();
        throw std::system_error(error, std::generic_category(), "make a thread for a task");
    }
    start.release();
    return task;
}

void Tasks::run(Nanos until) {
    until_ = until;
    if (Task* const first = choose(); first != nullptr) {
        first->turn.give();
        main_.await();
    }
}

bool Tasks::await(std::function<bool()> ready, Nanos deadline) {
    Task* const self = running;
    self->ready = std::move(ready);
    self->deadline = deadline;
    self->looks = 0;
    if (Task* const next = choose(); next != self) {
        give_turn(next);
        self->turn.await();
    }
    self->ready = {};
    self->deadline = Nanos::max();
    return not std::exchange(self->timed_out, false);
}

void Tasks::poll() {
    Task* const self = running;
    const std::uint32_t looks = self->looks + 1;
    now_ += kLook * (1U << std::min(looks / kMostLooks, 10U));
    if (looks % kMostLooks == 0) {
        pause();
    }
    self->looks = looks;
}

void Tasks::give_turn(Task* next) {
    (next == nullptr ? main_ : next->turn).give();
}

bool Tasks::can_run(Task& task) const {
    if (task.over or task.held_until > now_) {
        return false;
    }
    if (not task.ready or task.ready()) {
        return true;
    }
    task.timed_out = task.deadline <= now_;
    return task.timed_out;
}

Task* Tasks::choose() {
    // Events belong to the world, not to the task that has the turn.
    struct Outside {
        Task* self = std::exchange(running, nullptr);
        ~Outside() { running = self; }
    } outside;
    while (true) {
        run_due_events();
        if (now_ >= until_) {
            return nullptr;
        }
        able_.clear();
        for (const auto& task : tasks_) {
            if (can_run(*task)) {
                able_.push_back(task.get());
            }
        }
        if (not able_.empty()) {
            Task* const chosen = able_[able_.size() == 1 ? 0 : random_() % able_.size()];
            for (Task* task : able_) {
                task->timed_out = task == chosen and task->timed_out;
            }
            return chosen;
        }
        const Nanos next = next_instant();
        if (next == Nanos::max()) {
            return nullptr;
        }
        now_ = std::max(now_, std::min(next, until_));
    }
}

void Tasks::run_due_events() {
    while (not events_.empty() and events_.begin()->first <= now_) {
        const auto event = events_.extract(events_.begin());
        event.mapped()();
    }
}

Nanos Tasks::next_instant() const {
    Nanos next = events_.empty() ? Nanos::max() : events_.begin()->first;
    for (const auto& task : tasks_) {
        if (not task->over) {
            next = std::min(next, task->held_until > now_ ? task->held_until : task->deadline);
        }
    }
    return next;
}

void Tasks::end(ProcessId process, const Task* but) {
    for (const auto& task : tasks_) {
        if (task->process == process and task.get() != but and not std::exchange(task->over, true) and ended) {
            ended(*task);
        }
    }
}

void Tasks::hold(ProcessId process, Nanos until) {
    for (const auto& task : tasks_) {
        if (task->process == process) {
            task->held_until = until;
        }
    }
}

std::size_t Tasks::tasks_of(ProcessId process) const {
    return static_cast<std::size_t>(
        std::ranges::count_if(tasks_, [=](const auto& task) { return task->process == process and not task->over; }));
}

Task* Tasks::find(pthread_t thread) const {
    const auto found = std::ranges::find_if(
        tasks_, [=](const auto& task) { return not task->gone and pthread_equal(task->thread, thread) != 0; });
    return found == tasks_.end() ? nullptr : found->get();
}

std::vector<std::string> Tasks::waiting() const {
    std::vector<std::string> all;
    for (const auto& task : tasks_) {
        if (not task->over) {
            all.push_back("task " + std::to_string(task->id) + " of process " + std::to_string(task->process) +
                          (task->ready ? " for something" : "") + " until " + std::to_string(task->deadline.count()));
        }
    }
    return all;
}

}  // namespace groma::world
