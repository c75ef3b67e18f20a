// The flows of a worker, ordered by the time of their next turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

/// A binary heap in an array of fixed size. Equal times are ordered by flow number, which makes runs reproducible.
/// Packet path, except the constructor. Thread: one.
class DeadlineHeap {
public:
    struct Entry {
        MonoTime at{};
        std::uint32_t flow = 0;
    };

    explicit DeadlineHeap(std::size_t room) { entries_.reserve(room); }

    [[nodiscard]] bool empty() const noexcept { return entries_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return entries_.size(); }

    /// The earliest. Requires: not empty().
    [[nodiscard]] const Entry& top() const noexcept { return entries_.front(); }

    /// Requires: size() < room.
    void push(Entry entry) noexcept;
    /// Moves the earliest flow to time `at`. Requires: not empty().
    void move_top(MonoTime at) noexcept;
    /// Requires: not empty().
    void pop_top() noexcept { remove_at(0); }
    /// Removes all flows for which `is_gone(flow)` holds. O(flows).
    template <typename Predicate>
    void remove_if(const Predicate& is_gone) noexcept {
        std::erase_if(entries_, [&is_gone](const Entry& entry) { return is_gone(entry.flow); });
        make_heap();
    }

private:
    void remove_at(std::size_t place) noexcept;
    void make_heap() noexcept;
    void sift_up(std::size_t place) noexcept;
    void sift_down(std::size_t place) noexcept;

    std::vector<Entry> entries_;
};

}  // namespace groma
