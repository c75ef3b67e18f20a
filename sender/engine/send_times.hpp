// The send times of a flow's last packets by number, for replies too small to carry them. A ring: each number
// overwrites an older one.
#pragma once

#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "common/time/instant.hpp"

namespace groma {

/// Thread: put() from one, find() concurrently from any other.
class SendTimes {
public:
    /// Holds at least `packets` send times (rounded up to a power of two).
    explicit SendTimes(std::size_t packets)
        : mask_(std::bit_ceil(packets) - 1), slots_(std::make_unique<Slot[]>(mask_ + 1)) {}

    /// Packet path.
    void put(std::uint32_t seq, WallTime sent_at) noexcept {
        Slot& slot = slots_[seq & mask_];
        slot.key.store(0, std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_release);
        slot.sent_at_ns.store(ns_since_epoch(sent_at), std::memory_order_relaxed);
        slot.key.store(key_of(seq), std::memory_order_release);
    }

    /// Empty: not sent, or overwritten.
    [[nodiscard]] std::optional<WallTime> find(std::uint32_t seq) const noexcept {
        const Slot& slot = slots_[seq & mask_];
        if (slot.key.load(std::memory_order_acquire) != key_of(seq)) {
            return std::nullopt;
        }
        const std::int64_t sent_at_ns = slot.sent_at_ns.load(std::memory_order_relaxed);
        std::atomic_thread_fence(std::memory_order_acquire);
        if (slot.key.load(std::memory_order_relaxed) != key_of(seq)) {
            return std::nullopt;  // overwritten meanwhile
        }
        return wall_time_from_ns(sent_at_ns);
    }

private:
    struct Slot {
        std::atomic<std::uint64_t> key{0};  ///< 0: none
        std::atomic<std::int64_t> sent_at_ns{0};
    };

    static std::uint64_t key_of(std::uint32_t seq) noexcept { return std::uint64_t{seq} + 1; }

    std::size_t mask_;
    std::unique_ptr<Slot[]> slots_;
};

}  // namespace groma
