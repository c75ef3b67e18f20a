// Sums over consecutive batches of values: how much a figure of all values varies, if they may depend on their
// neighbours (batch means [Conway 1963; Law and Kelton 1991, 9.5]).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace groma {

inline void add_to(double& sum, double more) {
    sum += more;
}
template <std::size_t N>
void add_to(std::array<std::uint64_t, N>& sum, const std::array<std::uint64_t, N>& more) {
    for (std::size_t i = 0; i < N; ++i) {
        sum[i] += more[i];
    }
}

/// At most kMost batches of equal length: when there are more, each two become one of twice the length.
template <typename Sum>
class Batches {
public:
    static constexpr std::size_t kMost = 64;

    Batches() = default;
    /// Summed elsewhere. Requires: at most kMost, all but the last of `length` values, which is not 0, and that one of
    /// `filled`.
    Batches(std::uint64_t length, std::vector<Sum> sums, std::uint64_t filled)
        : sums_(std::move(sums)), length_(length), filled_(filled) {}

    /// The sum to which up to room() next values belong. What was added is told to fill().
    [[nodiscard]] Sum& open() {
        if (sums_.empty() or filled_ >= length_) {
            begin_next();
        }
        return sums_.back();
    }
    [[nodiscard]] std::uint64_t room() const { return length_ - filled_; }
    void fill(std::uint64_t values) { filled_ += values; }

    [[nodiscard]] std::uint64_t length() const { return length_; }
    [[nodiscard]] std::span<const Sum> all() const { return sums_; }  ///< the last one may be incomplete
    [[nodiscard]] std::span<const Sum> complete() const {
        return all().first(sums_.size() - (filled_ < length_ and not sums_.empty() ? 1 : 0));
    }

private:
    void begin_next() {
        if (sums_.size() == kMost) {
            for (std::size_t pair = 0; pair < kMost / 2; ++pair) {
                Sum both = sums_[2 * pair];
                add_to(both, sums_[2 * pair + 1]);
                sums_[pair] = both;
            }
            sums_.resize(kMost / 2);
            length_ *= 2;
        }
        sums_.emplace_back();
        filled_ = 0;
    }

    std::vector<Sum> sums_;
    std::uint64_t length_ = 1;
    std::uint64_t filled_ = 0;  ///< values in the last batch
};

}  // namespace groma
