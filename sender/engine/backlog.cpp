#include "sender/engine/backlog.hpp"

namespace groma {

void Backlog::push(Entry entry) noexcept {
    ring_[(first_ + size_) % ring_.size()] = entry;
    ++size_;
}

Backlog::Entry Backlog::pop() noexcept {
    const Entry entry = ring_[first_];
    first_ = (first_ + 1) % ring_.size();
    --size_;
    return entry;
}

}  // namespace groma
