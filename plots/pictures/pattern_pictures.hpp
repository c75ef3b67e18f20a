// Pictures of patterns of loss (RFC 3357) and reordering (RFC 4737), in packets.
#pragma once

#include <optional>

#include "plots/gnuplot/picture.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

/// All are empty if no flow has any. Up to kMostPairs flows are shown one by one, with the model fitted to each; more
/// are shown together, as one flow. Runs that are compared are shown one by one up to kMostCurves.

/// Share of the loss periods that have at least that many packets, against that of the Gilbert model, (1 - r)^(n - 1).
[[nodiscard]] std::optional<Picture> draw_loss_periods(const RunResults& run);

/// Share of the runs of packets between two loss periods that have at least that many packets, against that of the
/// Gilbert model, (1 - p)^(n - 1). What came before the first loss and after the last one is not such a run.
[[nodiscard]] std::optional<Picture> draw_loss_free_runs(const RunResults& run);

/// Share of the reordered packets of that extent or more [RFC 4737, 4.2.2].
[[nodiscard]] std::optional<Picture> draw_reordering_extents(const RunResults& run);

/// Share of the packets that arrived that are n-reordered, for each n [RFC 4737, 5.3].
[[nodiscard]] std::optional<Picture> draw_n_reordering(const RunResults& run);

}  // namespace groma
