#include "sender/engine/deadline_heap.hpp"

#include <utility>

namespace groma {

namespace {

bool before(const DeadlineHeap::Entry& a, const DeadlineHeap::Entry& b) noexcept {
    return a.at != b.at ? a.at < b.at : a.flow < b.flow;
}

}  // namespace

void DeadlineHeap::push(Entry entry) noexcept {
    entries_.push_back(entry);
    sift_up(entries_.size() - 1);
}

void DeadlineHeap::move_top(MonoTime at) noexcept {
    entries_.front().at = at;
    sift_down(0);
}

void DeadlineHeap::make_heap() noexcept {
    for (std::size_t place = entries_.size() / 2; place-- > 0;) {
        sift_down(place);
    }
}

void DeadlineHeap::remove_at(std::size_t place) noexcept {
    entries_[place] = entries_.back();
    entries_.pop_back();
    if (place < entries_.size()) {
        sift_down(place);
        sift_up(place);
    }
}

void DeadlineHeap::sift_up(std::size_t place) noexcept {
    while (place > 0) {
        const std::size_t parent = (place - 1) / 2;
        if (not before(entries_[place], entries_[parent])) {
            return;
        }
        std::swap(entries_[place], entries_[parent]);
        place = parent;
    }
}

void DeadlineHeap::sift_down(std::size_t place) noexcept {
    for (;;) {
        std::size_t child = 2 * place + 1;
        if (child >= entries_.size()) {
            return;
        }
        if (child + 1 < entries_.size() and before(entries_[child + 1], entries_[child])) {
            ++child;
        }
        if (not before(entries_[child], entries_[place])) {
            return;
        }
        std::swap(entries_[place], entries_[child]);
        place = child;
    }
}

}  // namespace groma
