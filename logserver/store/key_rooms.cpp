#include "logserver/store/key_rooms.hpp"

#include <algorithm>
#include <utility>

#include "logserver/store/room.hpp"

namespace groma {

std::uint64_t KeyRooms::KeyRoom::left() const {
    const std::uint64_t most = grant.limits.log_bytes->count;
    return most - std::min(most, kept);
}

void KeyRooms::KeyRoom::measure() {
    const std::uint64_t spare = shortage.empty() ? 0 : room_to_spare(grant.limits.log_bytes->count);
    if (std::max(wanted, spare) > left()) {
        shortage = fullness_in_words(grant, Bytes{kept});
        if (wanted <= grant.limits.log_bytes->count) {
            shortage += "; pruning some of its logs makes room, too";
        }
    } else {
        shortage.clear();
        wanted = 1;
    }
}

void KeyRooms::KeyRoom::measure(const BytesByOwner& there) {
    const auto found = there.find(grant.name);
    kept = found == there.end() ? 0 : found->second;
    measure();
}

void KeyRooms::admit(const Grant& grant) {
    if (not grant.limits.log_bytes) {
        rooms_.erase(grant.name);
        return;
    }
    const auto known = rooms_.find(grant.name);
    if (known == rooms_.end()) {
        KeyRoom room{.grant = grant};
        room.measure(count_());
        rooms_.emplace(grant.name, std::move(room));
    } else if (std::exchange(known->second.grant, grant).limits.log_bytes != grant.limits.log_bytes) {
        known->second.measure();
    }
}

void KeyRooms::count() {
    const BytesByOwner there = count_();
    for (auto& [key, room] : rooms_) {
        room.measure(there);
    }
}

bool KeyRooms::has_room(const std::string& key, std::uint64_t bytes) {
    const auto found = rooms_.find(key);
    if (found == rooms_.end()) {
        return true;
    }
    KeyRoom& room = found->second;
    if (room.shortage.empty() and bytes > room.left()) {
        room.wanted = bytes;
        count();
    }
    return room.shortage.empty();
}

void KeyRooms::add(const std::string& key, std::uint64_t bytes) {
    if (const auto found = rooms_.find(key); found != rooms_.end()) {
        found->second.kept += bytes;
    }
}

void KeyRooms::recount() {
    if (std::ranges::any_of(rooms_, [](const auto& each) { return not each.second.shortage.empty(); })) {
        count();
    }
}

std::map<std::string, std::string> KeyRooms::shortages() const {
    std::map<std::string, std::string> found;
    for (const auto& [key, room] : rooms_) {
        if (not room.shortage.empty()) {
            found.emplace(key, room.shortage);
        }
    }
    return found;
}

}  // namespace groma
