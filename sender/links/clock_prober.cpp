#include "sender/links/clock_prober.hpp"

#include <exception>
#include <utility>

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr int kInARow = 20;
constexpr std::size_t kMostUnanswered = 64;
constexpr Nanos kPause = std::chrono::milliseconds(250);

}  // namespace

ClockProber::ClockProber(asio::io_context& io, Clock& clock, Nanos limit, Ask ask)
    : clock_(clock),
      limit_(limit),
      ask_(std::move(ask)),
      answer_(io.get_executor(), clock),
      pause_(io.get_executor(), clock) {}

asio::awaitable<std::uint32_t> ClockProber::ask_once() {
    const std::uint32_t number = next_number_++;
    if (asked_.size() >= kMostUnanswered) {  // the oldest one's answer is lost, if it ever comes
        asked_.erase(asked_.begin());
    }
    asked_[number] = clock_.wall_now();
    co_await ask_(ProbeRequest{number});
    co_return number;
}

asio::awaitable<bool> ClockProber::take_many() {
    for (int i = 0; i < kInARow; ++i) {
        const std::uint32_t number = co_await ask_once();
        const MonoTime deadline = clock_.now() + limit_;
        while (asked_.contains(number) and not closed_) {
            const bool over = co_await answer_.wait(deadline);
            if (over and asked_.contains(number)) {
                co_return false;
            }
        }
        if (closed_) {
            co_return false;
        }
    }
    co_return true;
}

asio::awaitable<void> ClockProber::go_on() {
    phase_ = Phase::during;
    try {
        while (phase_ == Phase::during and not closed_) {
            co_await ask_once();
            co_await pause_.pause(kPause);
        }
    } catch (const std::exception&) {
        // The session has ended: whoever reads finds out as well, and says it.
    }
}

void ClockProber::pause() noexcept {
    phase_ = Phase::after;
    pause_.cancel();
}

void ClockProber::close() noexcept {
    closed_ = true;
    pause_.cancel();
    answer_.cancel();
}

void ClockProber::on_reply(const ProbeReply& reply) {
    const WallTime returned = clock_.wall_now();
    const auto asked = asked_.find(reply.number);
    if (asked == asked_.end()) {
        return;
    }
    const ProbeTimes probe{asked->second, reply.received, reply.answered, returned};
    asked_.erase(asked);
    if (phase_ == Phase::during) {
        during_.add(probe);
    } else {
        (phase_ == Phase::before ? before_ : after_).push_back(probe);
    }
    answer_.cancel();
}

std::vector<ProbeTimes> ClockProber::probes() const {
    std::vector<ProbeTimes> all = before_;
    for (const std::vector<ProbeTimes>& more : {during_.take(), after_}) {
        all.insert(all.end(), more.begin(), more.end());
    }
    return all;
}

}  // namespace groma
