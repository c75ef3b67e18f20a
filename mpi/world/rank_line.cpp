#include "mpi/world/rank_line.hpp"

#include "common/os/process.hpp"

namespace groma {

namespace {

using std::chrono::milliseconds;

constexpr auto kLineNap = milliseconds(1);
/// After a message, polls without naps for this time: naps would distort the clock comparison between ranks.
constexpr auto kLineAttention = milliseconds(3);

}  // namespace

RankLine::RankLine(MpiWorld& world, Clock& clock)
    : clock_(clock),
      post_(world, {.says = PostKind::control, .hears = PostKind::control, .longest = kLongestRankMessage}),
      thread_([this] { carry_on(); }) {}

RankLine::~RankLine() {
    {
        const std::lock_guard lock(mutex_);
        leaving_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void RankLine::say(int to, const RankMessage& message) {
    Letter letter{to, serialize(message)};
    const std::lock_guard lock(mutex_);
    throw_if_broken();
    said_.push_back(std::move(letter));
    idle_ = false;
    changed_.notify_all();
}

std::optional<std::pair<int, RankMessage>> RankLine::hear() {
    std::optional<Letter> letter;
    {
        const std::lock_guard lock(mutex_);
        if (come_.empty()) {
            throw_if_broken();
            return std::nullopt;
        }
        letter = std::move(come_.front());
        come_.pop_front();
    }
    return std::pair(letter->from, parse_rank_message(letter->bytes, letter->from));
}

void RankLine::flush(milliseconds limit) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, limit, [this] { return idle_ or broken_; });
}

void RankLine::throw_if_broken() const {
    if (broken_) {
        std::rethrow_exception(broken_);
    }
}

void RankLine::carry_on() noexcept {
    set_thread_name("groma-line");
    try {
        carry();
    } catch (...) {
        const std::lock_guard lock(mutex_);
        broken_ = std::current_exception();
        changed_.notify_all();
    }
}

void RankLine::carry() {
    MonoTime attentive_until{};
    while (true) {
        const bool sent = send_said();
        if (take_come() or sent) {
            attentive_until = clock_.now() + kLineAttention;
        }
        std::unique_lock lock(mutex_);
        if (leaving_) {
            return;
        }
        if (clock_.now() > attentive_until) {
            changed_.wait_for(lock, kLineNap, [this] { return leaving_ or not said_.empty(); });
        }
    }
}

bool RankLine::send_said() {
    std::deque<Letter> letters;
    {
        const std::lock_guard lock(mutex_);
        letters.swap(said_);
    }
    for (const Letter& letter : letters) {
        post_.send(letter.from, letter.bytes);
    }
    const bool all_away = post_.in_flight() == 0;
    const std::lock_guard lock(mutex_);
    idle_ = all_away and said_.empty();
    if (idle_) {
        changed_.notify_all();
    }
    return not letters.empty();
}

bool RankLine::take_come() {
    bool some = false;
    while (auto letter = post_.next()) {
        some = true;
        const std::lock_guard lock(mutex_);
        come_.push_back(std::move(*letter));
    }
    return some;
}

}  // namespace groma
