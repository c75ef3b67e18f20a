// Fidelity and histograms as JSON that travels between programs; read back, they merge as they did where they were
// made.
#pragma once

#include <memory>

#include "common/json/describe.hpp"
#include "common/stats/fidelity/fidelity.hpp"
#include "common/stats/histograms/log_histogram.hpp"

namespace groma {

/// The histogram comes back with its counts, minimum and maximum exact, its mean within the bins' width.
template <typename Fields>
void describe(Fields& fields, As<Fields, LogHistogram>& histogram);

/// `asked`: when it is read, the model of the flow's gaps, as where they were counted.
template <typename Fields>
void describe_fidelity(Fields& fields, As<Fields, Fidelity>& fidelity, std::shared_ptr<const GapModel> asked);

}  // namespace groma
