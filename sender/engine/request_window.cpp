#include "sender/engine/request_window.hpp"

#include <algorithm>
#include <functional>

namespace groma {

RequestWindow::RequestWindow(const FlowSpec& spec)
    : patience_(
          spec.response_timeout.value_or(traits(spec.transport).delivers_once ? kPatience : kPatienceWithDatagrams)),
      room_(spec.in_flight) {
    if (spec.think) {
        think_.emplace(*spec.think, seed_of(spec, Process::think));
    }
    waiting_.reserve(room_);
    thinking_.reserve(room_);
}

void RequestWindow::advance(MonoTime now) noexcept {
    while (not thinking_.empty() and thinking_.front() <= now) {
        std::ranges::pop_heap(thinking_, std::greater{});
        thinking_.pop_back();
        ++room_;
    }
    const auto patient =
        std::ranges::find_if(waiting_, [&](const Request& request) { return request.at > now - patience_; });
    const auto given_up = static_cast<std::size_t>(patient - waiting_.begin());
    room_ += given_up;
    timed_out_ += given_up;
    waiting_.erase(waiting_.begin(), patient);
}

void RequestWindow::sent(std::uint64_t first, std::size_t count, MonoTime at) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
        waiting_.push_back({first + i, at});
    }
    room_ -= count;
}

void RequestWindow::answered(std::uint64_t seq, MonoTime at) noexcept {
    const auto found = std::ranges::find(waiting_, seq, &Request::seq);
    if (found == waiting_.end()) {
        return;
    }
    waiting_.erase(found);
    if (not think_) {
        ++room_;
        return;
    }
    thinking_.push_back(at + Nanos{static_cast<Nanos::rep>(think_->draw(draws_))});
    std::ranges::push_heap(thinking_, std::greater{});
}

void RequestWindow::cut(MonoTime at) noexcept {
    for (std::size_t i = 0; i < waiting_.size(); ++i) {
        thinking_.push_back(at + kPause);
        std::ranges::push_heap(thinking_, std::greater{});
    }
    waiting_.clear();
}

MonoTime RequestWindow::next() const noexcept {
    const MonoTime thought = thinking_.empty() ? MonoTime::max() : thinking_.front();
    return waiting_.empty() ? thought : std::min(thought, waiting_.front().at + patience_);
}

}  // namespace groma
