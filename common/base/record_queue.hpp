// A bounded queue between one thread that must never wait (the packet path) and one that may (the log thread).
// Lock-free; allocates only at construction.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace groma {

/// Thread: one thread calls push(), one other calls pop().
template <typename Record>
class RecordQueue {
    static_assert(std::is_trivially_copyable_v<Record>);

public:
    /// Room for at least `capacity` records (the next power of two).
    explicit RecordQueue(std::size_t capacity)
        : mask_(std::bit_ceil(capacity) - 1), slots_(std::make_unique_for_overwrite<Record[]>(mask_ + 1)) {}

    /// Returns: false if the queue is full; the record is dropped and the caller counts it.
    [[nodiscard]] bool push(const Record& record) noexcept {
        const std::size_t tail = tail_.load(std::memory_order_relaxed);
        if (tail - known_head_ > mask_) {
            known_head_ = head_.load(std::memory_order_acquire);
            if (tail - known_head_ > mask_) {
                return false;
            }
        }
        slots_[tail & mask_] = record;
        tail_.store(tail + 1, std::memory_order_release);
        return true;
    }

    /// Fills `out` from the front and returns how many.
    [[nodiscard]] std::size_t pop(std::span<Record> out) noexcept {
        const std::size_t head = head_.load(std::memory_order_relaxed);
        const std::size_t ready = tail_.load(std::memory_order_acquire) - head;
        const std::size_t count = ready < out.size() ? ready : out.size();
        for (std::size_t i = 0; i < count; ++i) {
            out[i] = slots_[(head + i) & mask_];
        }
        head_.store(head + count, std::memory_order_release);
        return count;
    }

    [[nodiscard]] std::size_t capacity() const noexcept { return mask_ + 1; }

private:
    std::size_t mask_;
    std::unique_ptr<Record[]> slots_;
    alignas(64) std::atomic<std::size_t> tail_{0};
    std::size_t known_head_ = 0;  ///< the pushing thread's last read of head_
    alignas(64) std::atomic<std::size_t> head_{0};
};

}  // namespace groma
