// How well a mean is known, of values that may depend on their neighbours: by the means of consecutive batches.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace groma {

/// At most kMost batches of equal length: when there are more, each two become one of twice the length [Conway 1963;
/// Law and Kelton 1991, 9.5]. Does not allocate.
class BatchMeans {
public:
    static constexpr std::size_t kMost = 64;

    void add(std::span<const std::int64_t> values) noexcept;

    /// The standard error of the mean of all values, if their dependence is shorter than a batch; in their unit. Empty
    /// up to kMost values, of which each is a batch.
    [[nodiscard]] std::optional<double> error() const;

private:
    void begin_next() noexcept;

    std::array<double, kMost> sums_{};
    std::size_t begun_ = 0;
    std::uint64_t length_ = 1;
    std::uint64_t filled_ = 1;  ///< values in the last batch
};

}  // namespace groma
