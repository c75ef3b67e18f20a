#include "common/stats/clock/clock_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "common/stats/clock/clock_stretches.hpp"
#include "common/stats/clock/offset_lines.hpp"
#include "common/time/difference.hpp"

namespace groma {

namespace {

constexpr WallTime kFirstOfAll = wall_time_from_ns(std::numeric_limits<std::int64_t>::min());
constexpr WallTime kLastOfAll = wall_time_from_ns(std::numeric_limits<std::int64_t>::max());

/// A clock that jumps about more often than this is none; nor is one that does between most of the probes, as one that
/// stands still.
constexpr std::size_t kMostPieces = 256;
constexpr std::size_t kManyPieces = 8;

bool jumps_about(std::size_t stretches, std::size_t probes) {
    return stretches > kMostPieces or (stretches > kManyPieces and stretches > probes / 2);
}

/// Of an error that grows with time.
Nanos grown(double rate, Nanos span) {
    return Nanos{std::llround(std::ceil(rate * static_cast<double>(span.count())))};
}

/// The clocks are so far apart that nobody knows how far.
bool is_beyond_all(const ProbeTimes& probe) {
    return is_limited(difference(probe.received, probe.sent)) or is_limited(difference(probe.answered, probe.returned));
}

/// The answer left before the question came, or it all took less time than none, even if the clocks ran apart.
bool contradicts_itself(const ProbeTimes& probe) {
    const Nanos there_and_back = difference(probe.returned, probe.sent);
    const Nanos delay = held_to_longest(there_and_back - difference(probe.answered, probe.received));
    return probe.answered < probe.received or there_and_back < Nanos{0} or
           delay < -grown(kMostSkew, there_and_back) - Nanos{2};
}

/// Where the piece before may still hold and the one behind may already.
void set_meeting(ClockPiece& before, ClockPiece& behind, const ProbeTimes& last, const ProbeTimes& first) {
    const Nanos asking = difference(first.returned, last.sent);
    const Nanos answering = difference(first.answered, last.received);
    // When the asking side's clock was set back, some of its times come twice. It was if it runs backwards; else it
    // may have been by less than the probes are apart. A longer way is rather the answering clock's step.
    constexpr Nanos kSecond = std::chrono::seconds(1);
    const Nanos most = asking < Nanos{0}
                           ? answering
                           : std::min(answering, std::max(4 * std::min(asking, Nanos{kLongestSpan} / 4), kSecond));
    const Nanos apart = std::max({asking, most, Nanos{0}});
    before.until = moved(last.sent, apart);
    behind.from = moved(first.returned, -apart);
    const Nanos way = difference(before.until, behind.from);
    behind.at = std::max(before.at, moved(behind.from, way / 2));
}

Nanos offset_at(const ClockPiece& piece, WallTime time) {
    const Nanos since = difference(time, piece.reference);
    return held_to_longest(piece.offset + Nanos{std::llround(piece.skew * static_cast<double>(since.count()))});
}

Nanos bound_at(const ClockPiece& piece, WallTime time) {
    const Nanos outside = std::max({difference(piece.reference, time), difference(time, piece.last), Nanos{0}});
    return held_to_longest(piece.bound + grown(piece.skew_error, outside));
}

/// Could the two pieces be one clock that changed its rate somewhere between?
bool meet(const ClockPiece& before, const ClockPiece& behind) {
    Nanos least{kLongestSpan};
    Nanos most{-kLongestSpan};
    for (const WallTime time : {behind.from, behind.at, before.until}) {
        const Nanos jump = held_to_longest(offset_at(behind, time) - offset_at(before, time));
        const Nanos error = held_to_longest(bound_at(before, time) + bound_at(behind, time));
        least = std::min(least, jump - error);
        most = std::max(most, jump + error);
    }
    return least <= Nanos{0} and most >= Nanos{0};
}

/// The first clock was last right somewhere in the one half of the way, the second first in the other.
ClockStep step_between(const ClockPiece& before, const ClockPiece& behind) {
    Nanos least{kLongestSpan};
    Nanos most{-kLongestSpan};
    for (const WallTime old : {before.last, before.until}) {
        for (const WallTime now : {behind.from, behind.reference}) {
            const Nanos jump = held_to_longest(offset_at(behind, now) - offset_at(before, old));
            const Nanos error = held_to_longest(bound_at(before, old) + bound_at(behind, now));
            least = std::min(least, held_to_longest(jump - error));
            most = std::max(most, held_to_longest(jump + error));
        }
    }
    const Nanos way = difference(before.until, behind.from);
    return {.at = behind.at,
            .within = (std::max(way, -way) + Nanos{1}) / 2,
            .size = least + (most - least) / 2,
            .error = (held_to_longest(most - least) + Nanos{1}) / 2};
}

/// A single probe that fits neither side was under way when the clock stepped: it makes no second step.
void join(ClockFit& fit, const std::vector<Probes>& stretches) {
    std::size_t before = 0;
    for (std::size_t i = 1; i < stretches.size(); ++i) {
        if (stretches[i].size() == 1 and i + 1 < stretches.size()) {
            continue;
        }
        if (i - before > 1) {
            set_meeting(fit.pieces[before], fit.pieces[i], stretches[before].back(), stretches[i].front());
        }
        if (not meet(fit.pieces[before], fit.pieces[i])) {
            fit.steps.push_back(step_between(fit.pieces[before], fit.pieces[i]));
        }
        before = i;
    }
}

const ClockPiece& piece_at(const std::vector<ClockPiece>& pieces, WallTime time) {
    const auto behind = std::upper_bound(pieces.begin() + 1, pieces.end(), time,
                                         [](WallTime value, const ClockPiece& piece) { return value < piece.at; });
    return *std::prev(behind);
}

}  // namespace

Nanos ClockFit::offset(WallTime sent_at) const {
    return offset_at(piece_at(pieces, sent_at), sent_at);
}

Nanos ClockFit::bound(WallTime sent_at) const {
    const ClockPiece& used_here = piece_at(pieces, sent_at);
    const Nanos here = offset_at(used_here, sent_at);
    Nanos largest = bound_at(used_here, sent_at);
    for (const ClockPiece& piece : pieces) {
        if (&piece != &used_here and piece.from <= sent_at and sent_at <= piece.until) {
            const Nanos apart = held_to_longest(offset_at(piece, sent_at) - here);
            const Nanos error = held_to_longest(std::max(apart, -apart) + bound_at(piece, sent_at));
            largest = std::max(largest, error);
        }
    }
    return largest;
}

// A bound is a straight line in pieces, with jumps: it is largest at an end of one of them.
Nanos ClockFit::bound(WallTime first, WallTime last) const {
    Nanos largest = std::max(bound(first), bound(last));
    for (const ClockPiece& piece : pieces) {
        for (const WallTime edge : {piece.from, piece.at, moved(piece.at, Nanos{-1}), piece.until, piece.reference}) {
            if (first <= edge and edge <= last) {
                largest = std::max(largest, bound(edge));
            }
        }
    }
    return largest;
}

ClockFit fit_clock(Probes probes) {
    ClockFit fit;
    std::vector<ProbeTimes> usable;
    std::copy_if(probes.begin(), probes.end(), std::back_inserter(usable),
                 [](const ProbeTimes& probe) { return not contradicts_itself(probe) and not is_beyond_all(probe); });
    fit.used = usable.size();
    fit.left_out = probes.size() - usable.size();
    if (usable.empty()) {
        return fit;
    }
    const std::vector<Probes> stretches = sure_stretches(usable);
    if (jumps_about(stretches.size(), usable.size())) {
        return fit;
    }
    for (const Probes& stretch : stretches) {
        ClockPiece& piece = fit.pieces.emplace_back(OffsetLines(stretch).middle());
        piece.at = piece.from = kFirstOfAll;
        piece.until = kLastOfAll;
    }
    for (std::size_t i = 1; i < stretches.size(); ++i) {
        set_meeting(fit.pieces[i - 1], fit.pieces[i], stretches[i - 1].back(), stretches[i].front());
    }
    join(fit, stretches);
    return fit;
}

}  // namespace groma
