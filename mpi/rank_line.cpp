#include "mpi/rank_line.hpp"

#include <thread>

namespace groma {

RankLine::RankLine(MpiWorld& world)
    : post_(world, {.says = PostKind::control, .hears = PostKind::control, .longest = kLongestRankMessage}) {}

void RankLine::say(int to, const RankMessage& message) {
    post_.send(to, serialize(message));
}

std::optional<std::pair<int, RankMessage>> RankLine::hear() {
    const std::optional<Letter> letter = post_.next();
    if (not letter) {
        return std::nullopt;
    }
    return std::pair(letter->from, parse_rank_message(letter->bytes, letter->from));
}

void RankLine::flush(std::chrono::milliseconds limit) {
    const auto end = std::chrono::steady_clock::now() + limit;
    while (post_.in_flight() > 0 and std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
}

}  // namespace groma
