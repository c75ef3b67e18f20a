// How long the intervals of a run's series are: as asked for, and doubled as often as there are more intervals with
// packets than memory is for. All series of a run have the same.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <mutex>

#include "common/time/instant.hpp"

namespace groma {

/// The number of the interval in which an instant is; before the start they are negative.
[[nodiscard]] constexpr std::int64_t interval_of(Nanos since_start, Nanos interval) {
    const std::int64_t towards_zero = since_start / interval;
    return since_start < towards_zero * interval ? towards_zero - 1 : towards_zero;
}

/// The most intervals with packets. An interval takes some 130 bytes.
struct SeriesLimits {
    std::uint64_t of_series = 1'000'000;
    std::uint64_t of_run = 10'000'000;  ///< in all series of its flows, groups and total
};

/// Threads may count the cells of different series. The result does not depend on the order in which they do: it is the
/// shortest interval with which nothing is beyond the limits.
class SeriesInterval {
public:
    /// Requires: asked > 0.
    explicit SeriesInterval(Nanos asked, const SeriesLimits& limits = {});

    [[nodiscard]] Nanos asked() const { return asked_; }
    [[nodiscard]] const SeriesLimits& limits() const { return limits_; }
    [[nodiscard]] unsigned doublings() const { return doublings_.load(std::memory_order_relaxed); }
    [[nodiscard]] Nanos length() const { return length(doublings()); }
    [[nodiscard]] Nanos length(unsigned doublings) const { return asked_ * (std::int64_t{1} << doublings); }

    /// A series whose interval was doubled `doublings` times has one more cell. After `apart` more doublings it is the
    /// same as a neighbour's; 64: never.
    void count_cell(unsigned doublings, unsigned apart);
    /// A series whose interval was doubled so often has too many cells. Returns: whether the interval is longer now.
    bool double_beyond(unsigned doublings);

private:
    static constexpr unsigned kNever = 64;

    [[nodiscard]] bool can_double() const;
    void double_once();

    Nanos asked_;
    SeriesLimits limits_;
    std::mutex mutex_;
    std::atomic<unsigned> doublings_ = 0;
    std::uint64_t cells_ = 0;                              ///< at the present length
    std::array<std::uint64_t, kNever + 1> cells_until_{};  ///< by the number of doublings at which they are gone
};

}  // namespace groma
