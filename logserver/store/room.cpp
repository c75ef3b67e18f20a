#include "logserver/store/room.hpp"

#include <algorithm>

#include "common/model/text/human.hpp"

namespace groma {

namespace {

// The free space needed before a server without space resumes.
constexpr std::uint64_t kRoomToSpare = 1U << 20U;
constexpr std::uint64_t kShareToSpare = 8;

}  // namespace

std::uint64_t room_to_spare(std::uint64_t most) {
    return std::max<std::uint64_t>(1, std::min(kRoomToSpare, most / kShareToSpare));
}

std::uint64_t Room::left_of_quota() const {
    return limits_.max_disk - std::min(limits_.max_disk, kept_);
}

std::uint64_t Room::left_of_disk() const {
    return free_ - std::min(free_, limits_.reserve);
}

std::string Room::shortage_for(std::uint64_t bytes) const {
    if (bytes > left_of_quota()) {
        return "the logs here take " + human_bytes(kept_) + " of " + human_bytes(limits_.max_disk) +
               " (groma-log --max-disk); prune some";
    }
    if (bytes > left_of_disk()) {
        return "the log server's disk has " + human_bytes(free_) + " left, of which " + human_bytes(limits_.reserve) +
               " are kept free (groma-log --reserve); prune some logs, or make room";
    }
    return {};
}

void Room::measured(std::uint64_t kept_bytes, std::uint64_t free_bytes) {
    kept_ = kept_bytes;
    free_ = free_bytes;
    shortage_ = shortage_for(shortage_.empty() ? 1 : room_to_spare(limits_.max_disk));
}

bool Room::take(std::uint64_t bytes) {
    if (shortage_.empty()) {
        shortage_ = shortage_for(bytes);
    }
    if (not shortage_.empty()) {
        return false;
    }
    kept_ += bytes;
    free_ -= bytes;
    return true;
}

}  // namespace groma
