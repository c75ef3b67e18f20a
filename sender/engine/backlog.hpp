// The flows of a worker that are behind schedule, in order of their next turns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

/// A FIFO ring of fixed size. Packet path, except the constructor. Thread: one.
class Backlog {
public:
    struct Entry {
        std::uint32_t flow = 0;
        MonoTime since{};  ///< when it was queued
    };

    explicit Backlog(std::size_t room) : ring_(room) {}

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    /// Requires: not empty().
    [[nodiscard]] const Entry& front() const noexcept { return ring_[first_]; }

    /// Requires: size() < room.
    void push(Entry entry) noexcept;
    /// Requires: not empty().
    Entry pop() noexcept;
    /// Removes all flows for which `is_gone(flow)` holds; the others keep their order.
    template <typename Predicate>
    void remove_if(const Predicate& is_gone) noexcept {
        for (std::size_t left = size_; left > 0; --left) {
            const Entry entry = pop();
            if (not is_gone(entry.flow)) {
                push(entry);
            }
        }
    }

private:
    std::vector<Entry> ring_;
    std::size_t first_ = 0;
    std::size_t size_ = 0;
};

}  // namespace groma
