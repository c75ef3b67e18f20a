// Lays departures that are drawn at a flow's highest rate out over a rate that changes (rate_over_time.hpp).
#pragma once

#include <cstddef>
#include <vector>

#include "common/model/flow/fine_time.hpp"
#include "common/model/flow/rate_over_time.hpp"

namespace groma {

/// The clock of the gaps runs with rate / peak: what is drawn for its time u leaves at the time t at which the integral
/// of rate / peak from the start reaches u. Each t comes from the piece's ends, not from the departure before it, so
/// that errors do not add up. Of a time without departures (rate 0) the end counts.
class RateClock {
public:
    /// Requires: rates.error() is empty.
    explicit RateClock(const RateOverTime& rates);

    /// Requires: calls in order of `drawn`. Returns: the end of time where the rate stays 0.
    [[nodiscard]] FineTime flow_time(FineTime drawn) noexcept;

private:
    struct Piece {
        Nanos lasts;
        double from;  ///< shares of the peak
        double to;
    };

    [[nodiscard]] bool is_over(FineTime drawn) const noexcept;
    void open() noexcept;
    [[nodiscard]] FineTime within_piece(FineTime drawn) const noexcept;
    [[nodiscard]] FineTime after_all(FineTime drawn) const noexcept;

    std::vector<Piece> pieces_;
    std::size_t piece_ = 0;
    FineTime begins_;        ///< the piece, in the flow's time
    FineTime begins_drawn_;  ///< the piece, in the time of the gaps
    FineTime ends_drawn_;
};

}  // namespace groma
