// Inter-departure times of the same family at another rate.
#pragma once

#include "common/model/distributions/distribution.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

/// All values of the distribution times `factor`: X becomes factor * X.
[[nodiscard]] Distribution scaled(const Distribution& distribution, double factor);

/// Inter-departure times whose mean, as written, makes `rate`; a rate of payload bits needs the mean of `size`.
/// Throws: UsageError when there is no such mean, or when the gaps are those of a file.
[[nodiscard]] Distribution with_rate(const Distribution& idt, const Rate& rate, const Distribution& size);

}  // namespace groma
