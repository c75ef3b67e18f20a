#include "common/model/flow/rate_clock.hpp"

#include <algorithm>
#include <cmath>
#include <variant>

namespace groma {

namespace {

/// Where the integral of a rate that starts with `rate` and grows by `slope` reaches `area`; slope >= 0. This form does
/// not subtract, so that it is exact from a rate of 0 on.
double time_for(double area, double rate, double slope) {
    const double divisor = rate + std::sqrt(rate * rate + 2 * slope * area);
    return divisor > 0 ? 2 * area / divisor : 0;
}

}  // namespace

RateClock::RateClock(const RateOverTime& rates) {
    const double peak = std::visit(
        [](const auto& rate) {
            if constexpr (requires { rate.pps; }) {
                return rate.pps;
            } else {
                return rate.bps;
            }
        },
        rates.peak());
    pieces_.reserve(rates.pieces.size());
    for (const RatePiece& piece : rates.pieces) {
        pieces_.push_back({piece.lasts, piece.from / peak, piece.to / peak});
    }
    open();
}

void RateClock::open() noexcept {
    const Piece& piece = pieces_[piece_];
    ends_drawn_ = begins_drawn_;
    ends_drawn_.add(static_cast<double>(piece.lasts.count()) * ((piece.from + piece.to) / 2));
}

/// A piece contains its start and not its end. What rounding of the sum of gaps may have kept from the end is beyond
/// it.
bool RateClock::is_over(FineTime drawn) const noexcept {
    constexpr int kRounding = -50;
    return drawn.since(ends_drawn_) >= -std::ldexp(drawn.since(FineTime{}), kRounding);
}

FineTime RateClock::flow_time(FineTime drawn) noexcept {
    while (piece_ < pieces_.size() and is_over(drawn)) {
        begins_ = begins_ + FineTime(pieces_[piece_].lasts);
        begins_drawn_ = ends_drawn_;
        ++piece_;
        if (piece_ < pieces_.size()) {
            open();
        }
    }
    return piece_ < pieces_.size() ? within_piece(drawn) : after_all(drawn);
}

FineTime RateClock::within_piece(FineTime drawn) const noexcept {
    const Piece& piece = pieces_[piece_];
    const auto lasts = static_cast<double>(piece.lasts.count());
    const double slope = std::abs(piece.to - piece.from) / lasts;
    const double after_start = std::max(drawn.since(begins_drawn_), 0.0);
    // Of a rate that falls, from its end: it may end with 0.
    const double at = piece.to >= piece.from ? time_for(after_start, piece.from, slope)
                                             : lasts - time_for(ends_drawn_.since(drawn), piece.to, slope);
    FineTime time = begins_;
    time.add(std::clamp(at, 0.0, lasts));
    return time;
}

FineTime RateClock::after_all(FineTime drawn) const noexcept {
    const double rate = pieces_.back().to;
    const double after = std::max(drawn.since(begins_drawn_), 0.0);
    FineTime time = begins_;
    time.add(rate > 0 ? std::min(after / rate, kLargestValue) : kLargestValue);
    return time;
}

}  // namespace groma
