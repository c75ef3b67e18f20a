// What a flow at a receiver and all flows together have alike: how packets were lost, out of order, copied, and how
// their delay varied.
#pragma once

#include <cstdint>
#include <optional>

#include "decoder/results.hpp"

namespace groma {

/// Refers to the result, which outlives it.
struct Patterns {
    std::uint64_t unique = 0;  ///< packets that arrived
    std::uint64_t duplicates = 0;
    std::uint64_t copied = 0;
    std::uint64_t reordered = 0;
    const ReorderingCounts* reordering = nullptr;
    const Spread* pdv_ns = nullptr;
    const Spread* ipdv_ns = nullptr;
    std::optional<std::uint64_t> ipdv_missed;

    /// Shares of the packets that arrived; nothing of none.
    [[nodiscard]] std::optional<double> copied_ratio() const;
    [[nodiscard]] std::optional<double> reordered_ratio() const;
};

/// Nothing without the receiver's log.
[[nodiscard]] std::optional<Patterns> patterns_of(const FlowResult& flow);
/// Nothing unless all flows have it.
[[nodiscard]] std::optional<Patterns> patterns_of(const TotalResult& total);

}  // namespace groma
