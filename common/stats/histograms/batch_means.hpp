// How well a mean is known, of values that may depend on their neighbours: by the means of consecutive batches.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "common/stats/histograms/batches.hpp"

namespace groma {

class BatchMeans {
public:
    void add(std::span<const std::int64_t> values);

    /// The standard error of the mean of all values, if their dependence is shorter than a batch; in their unit. Empty
    /// up to Batches::kMost values, of which each is a batch.
    [[nodiscard]] std::optional<double> error() const;

private:
    Batches<double> sums_;
};

}  // namespace groma
