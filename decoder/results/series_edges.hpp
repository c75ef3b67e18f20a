// The packets around the two ends of a series: how much of the gap that crosses into the next interval, or comes from
// the one before, belongs to the interval of the first packet, and to that of the last. Packets may come in any order.
#pragma once

#include <optional>

#include "common/time/instant.hpp"
#include "common/time/time_span.hpp"

namespace groma {

class SeriesEdges {
public:
    /// Packets of the interval that begins at `begin`: the times of its first and last, from the start of the run.
    void add(Nanos begin, const TimeSpan& packets);
    /// Requires: intervals of the same length.
    void merge(const SeriesEdges& other);
    /// Puts intervals together to longer ones. Where that hides which packet is the last of the first one, or the first
    /// of the last one, shares are unknown.
    void lengthen(Nanos interval);

    /// The share of the gap after the last packet of the first interval with packets, or before the first packet of
    /// the last one, that is within that interval. Empty: `interval` is another, no other has packets, or unknown.
    [[nodiscard]] std::optional<double> share_in_first(const TimeSpan& interval) const;
    [[nodiscard]] std::optional<double> share_in_last(const TimeSpan& interval) const;

private:
    static constexpr Nanos kNoneBefore = Nanos::min();
    static constexpr Nanos kNoneAfter = Nanos::max();

    Nanos first_begin_ = kNoneAfter;  ///< of the first interval with packets
    TimeSpan in_first_{kNoneAfter, kNoneAfter};
    Nanos after_first_ = kNoneAfter;  ///< the first packet of all later intervals
    bool first_known_ = true;         ///< whether in_first_ has all packets of it
    Nanos last_begin_ = kNoneBefore;
    TimeSpan in_last_{kNoneBefore, kNoneBefore};
    Nanos before_last_ = kNoneBefore;
    bool last_known_ = true;
};

}  // namespace groma
