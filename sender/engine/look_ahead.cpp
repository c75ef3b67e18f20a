#include "sender/engine/look_ahead.hpp"

#include <bit>
#include <optional>
#include <utility>

namespace groma {

LookAhead::LookAhead(Schedule schedule, std::size_t room)
    : schedule_(std::move(schedule)), ring_(std::bit_ceil(room)), mask_(ring_.size() - 1) {}

const Departure* LookAhead::peek(std::size_t place) noexcept {
    while (end_ - first_ <= place) {
        if (exhausted_) {
            return nullptr;
        }
        const std::optional<Departure> departure = schedule_.next();
        if (not departure) {
            exhausted_ = true;
            return nullptr;
        }
        ring_[end_ & mask_] = *departure;
        ++end_;
    }
    return &ring_[(first_ + place) & mask_];
}

void LookAhead::drop(std::size_t count) noexcept {
    first_ += count;
}

}  // namespace groma
