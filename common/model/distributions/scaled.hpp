// Inter-departure times of the same family at another rate.
#pragma once

#include "common/model/distributions/distribution.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

/// Multiplies all values of the distribution by `factor`: X becomes factor * X.
[[nodiscard]] Distribution scaled(const Distribution& distribution, double factor);

/// Inter-departure times of the same family, scaled so that the mean of their draws from 0 on gives `rate`; a rate of
/// payload bits needs that of `size`. Throws: UsageError if there is no such mean, or if the gaps are those of a
/// file.
[[nodiscard]] Distribution with_rate(const Distribution& idt, const Rate& rate, const Distribution& size);

}  // namespace groma
