// A histogram of values that vary little compared with their size, such as one-way delays: finest at the smallest ones.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

/// Collects values minus a base, the smallest of the first kFirst values. A percentile's error is at most 1/128 of its
/// distance from the base (below 128: exact). Count, minimum, maximum, mean and deviation are as exact as in a
/// LogHistogram.
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
    [[nodiscard]] std::int64_t min() const;  ///< 0 if empty

    /// The collected values minus `base`.
    struct Around {
        LogHistogram histogram;
        std::int64_t base = 0;
    };
    [[nodiscard]] Around around() const;

private:
    void add_first(std::int64_t value);

    std::array<std::int64_t, kFirst> first_{};
    std::size_t count_of_first_ = 0;
    std::int64_t base_ = 0;  ///< once the first kFirst values are there
    LogHistogram around_;    ///< likewise
};

}  // namespace groma
