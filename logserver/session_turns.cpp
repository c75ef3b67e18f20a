#include "logserver/session_turns.hpp"

#include <algorithm>
#include <boost/asio/post.hpp>

namespace groma {

SessionTurns::SessionTurns(boost::asio::io_context& io, Clock& clock, Actions actions)
    : io_(io), clock_(clock), actions_(std::move(actions)), timer_(io.get_executor(), clock) {}

void SessionTurns::wake_soon(std::uint64_t id) {
    woken_.insert(id);
    if (not is_serve_posted_) {
        is_serve_posted_ = true;
        boost::asio::post(io_, [this] {
            is_serve_posted_ = false;
            serve();
        });
    }
}

void SessionTurns::serve() {
    for (const std::uint64_t id : std::exchange(woken_, {})) {
        set_deadline(id, actions_.serve(id));
    }
    actions_.end_round();
    set_timer();
}

void SessionTurns::set_deadline(std::uint64_t id, std::optional<MonoTime> due) {
    if (const auto before = due_.find(id); before != due_.end()) {
        deadlines_.erase({before->second, id});
        due_.erase(before);
    }
    if (due) {
        due_.emplace(id, *due);
        deadlines_.emplace(*due, id);
    }
}

void SessionTurns::stop() {
    due_.clear();
    deadlines_.clear();
    timer_.cancel();
}

void SessionTurns::set_timer() {
    const MonoTime next = deadlines_.empty() ? MonoTime::max() : deadlines_.begin()->first;
    if (next == timer_due_) {
        return;
    }
    timer_due_ = next;
    if (next == MonoTime::max()) {
        timer_.cancel();
        return;
    }
    timer_.call_at(std::min(next, clock_.now() + std::chrono::minutes(1)), [this] {
        timer_due_ = MonoTime::min();
        wake_those_due();
        serve();
    });
}

void SessionTurns::wake_those_due() {
    const MonoTime present = clock_.now();
    for (auto at = deadlines_.begin(); at != deadlines_.end() and at->first <= present; ++at) {
        woken_.insert(at->second);
    }
}

}  // namespace groma
