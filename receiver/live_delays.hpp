// One-way delays of a flow while it is received, for who watches: counted by the worker, read by another thread. 8 kB.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "common/figures/interval_row.hpp"
#include "common/stats/histograms/log_bins.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// So many packets had about this delay.
struct CountedDelay {
    Nanos delay{0};  ///< the middle of a bin
    std::uint64_t packets = 0;
};

/// Percentiles of these, in any order; empty: there are none.
[[nodiscard]] std::optional<RowDelays> delays_of(std::vector<CountedDelay> counted);

/// A delay is off by at most 1/32 of its distance from the flow's first one; beyond a minute from that it counts as a
/// minute.
class LiveDelays {
public:
    /// Packet path. Thread: one, the worker's.
    void add(Nanos delay) noexcept {
        constexpr auto kRelaxed = std::memory_order_relaxed;
        if (not begun_.load(kRelaxed)) {
            base_.store(delay.count(), kRelaxed);
            begun_.store(true, std::memory_order_release);
        }
        std::atomic<std::uint32_t>& bin = bins_[bin_of(delay.count() - base_.load(kRelaxed))];
        bin.store(bin.load(kRelaxed) + 1, kRelaxed);
    }

    /// What was counted since the last call. Thread: one.
    [[nodiscard]] std::vector<CountedDelay> since_last();

private:
    /// Eight neighbours of LogHistogram's are one here: 16 in each power of two.
    static constexpr int kTogether = 3;
    static constexpr std::uint64_t kFarthest = std::uint64_t{1} << 36U;  ///< ns: 69 s
    static constexpr std::size_t kBins = ((36U - kLinearBits + 1) << (kLinearBits - kTogether)) + 1;

    [[nodiscard]] static std::size_t bin_of(std::int64_t from_base) noexcept {
        const auto magnitude = static_cast<std::uint64_t>(from_base < 0 ? -from_base : from_base);
        const std::size_t bin = log_bin(std::min(magnitude, kFarthest)) >> kTogether;
        return from_base < 0 ? kBins + bin : bin;
    }
    [[nodiscard]] static Nanos middle_of(std::size_t bin) noexcept;

    std::atomic<bool> begun_{false};
    std::atomic<std::int64_t> base_{0};
    std::array<std::atomic<std::uint32_t>, 2 * kBins> bins_{};
    std::array<std::uint32_t, 2 * kBins> before_{};  ///< the reader's
};

/// Room for those of all sessions. Thread: the control thread.
class WatchedFlows {
public:
    /// docs/guide/page.md has it, too.
    static constexpr std::size_t kMost = 4096;

    explicit WatchedFlows(std::size_t most = kMost) : left_(most) {}

    /// Returns: whether there was room for so many. All or none.
    [[nodiscard]] bool take(std::size_t flows) noexcept {
        const bool room = flows <= left_;
        left_ -= room ? flows : 0;
        return room;
    }
    void give_back(std::size_t flows) noexcept { left_ += flows; }

private:
    std::size_t left_;
};

}  // namespace groma
