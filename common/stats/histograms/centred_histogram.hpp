// A histogram of values that vary little compared with how large they are, such as one-way delays: it is finest where
// they are smallest.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

/// Collects values less a base, which is the smallest of the first kFirst of them. A percentile is off by at most 1/128
/// of how far it is from the base (below 128 away: exact); count, minimum, maximum, mean and deviation are as exact as
/// those of a LogHistogram.
class CentredHistogram {
public:
    static constexpr std::size_t kFirst = 64;

    /// Requires: |value| <= 2^61.
    void add(std::int64_t value) {
        if (count_of_first_ == kFirst) {
            around_.add(value - base_);
        } else {
            add_first(value);
        }
    }

    void add(std::span<const std::int64_t> values);

    [[nodiscard]] std::uint64_t count() const { return count_of_first_ == kFirst ? around_.count() : count_of_first_; }
    [[nodiscard]] std::int64_t min() const;  ///< 0 when empty

    /// What was collected: values less `base`.
    struct Around {
        LogHistogram histogram;
        std::int64_t base = 0;
    };
    [[nodiscard]] Around around() const;

private:
    void add_first(std::int64_t value);

    std::array<std::int64_t, kFirst> first_{};
    std::size_t count_of_first_ = 0;
    std::int64_t base_ = 0;  ///< once all of the first ones are there
    LogHistogram around_;    ///< likewise
};

}  // namespace groma
