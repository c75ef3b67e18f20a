#include "common/stats/clock/clock_fit.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>

#include "common/stats/clock/offset_lines.hpp"
#include "common/time/difference.hpp"

namespace groma {

namespace {

using Probes = std::span<const ProbeTimes>;

constexpr WallTime kFirstOfAll = wall_time_from_ns(std::numeric_limits<std::int64_t>::min());
constexpr WallTime kLastOfAll = wall_time_from_ns(std::numeric_limits<std::int64_t>::max());

/// A clock that jumps about more often than this is none.
constexpr std::size_t kMostPieces = 256;

/// Of an error that grows with time.
Nanos grown(double rate, Nanos span) {
    return Nanos{std::llround(std::ceil(rate * static_cast<double>(span.count())))};
}

/// The answer left before the question came, or it all took less time than none, even if the clocks ran apart.
bool contradicts_itself(const ProbeTimes& probe) {
    const Nanos there_and_back = difference(probe.returned, probe.sent);
    const Nanos delay = held_to_longest(there_and_back - difference(probe.answered, probe.received));
    return probe.answered < probe.received or there_and_back < Nanos{0} or
           delay < -grown(kMostSkew, there_and_back) - Nanos{2};
}

bool fit_one_line(Probes probes) {
    const auto backwards = [](const ProbeTimes& a, const ProbeTimes& b) { return b.sent < a.sent; };
    return std::adjacent_find(probes.begin(), probes.end(), backwards) == probes.end() and OffsetLines(probes).any();
}

/// How many of the first (or last) probes fit one line, one at least: part of what fits does as well.
/// Requires: size > 0.
template <typename Stretch>
std::size_t longest(std::size_t size, Stretch stretch) {
    std::size_t fits = 1;
    std::size_t tried = 2;
    while (tried <= size and fit_one_line(stretch(tried))) {
        fits = tried;
        tried = std::min(size, tried * 2) + (tried == size ? 1 : 0);
    }
    tried = std::min(tried, size + 1);
    while (tried - fits > 1) {
        const std::size_t middle = fits + (tried - fits) / 2;
        (fit_one_line(stretch(middle)) ? fits : tried) = middle;
    }
    return fits;
}

/// Where stretches end when each is made as long as possible, the first one first. The probe behind one may have been
/// under way when the clock stepped: then what it says is half of either side, and the next stretch does without it.
std::vector<std::size_t> latest_ends(Probes probes) {
    std::vector<std::size_t> ends;
    const auto end_from = [&](std::size_t begin) {
        const Probes rest = probes.subspan(begin);
        return begin + longest(rest.size(), [&](std::size_t count) { return rest.first(count); });
    };
    for (std::size_t end = end_from(0);;) {
        ends.push_back(end);
        if (end == probes.size()) {
            return ends;
        }
        end = std::max(end_from(end), end + 1 < probes.size() ? end_from(end + 1) : 0);
    }
}

/// Where they begin when it is done the other way round.
std::vector<std::size_t> earliest_begins(Probes probes) {
    std::vector<std::size_t> begins;
    const auto begin_from = [&](std::size_t end) {
        const Probes rest = probes.first(end);
        return end - longest(rest.size(), [&](std::size_t count) { return rest.last(count); });
    };
    for (std::size_t begin = begin_from(probes.size());;) {
        begins.push_back(begin);
        if (begin == 0) {
            std::reverse(begins.begin(), begins.end());
            return begins;
        }
        begin = std::min(begin_from(begin), begin > 1 ? begin_from(begin - 1) : begin);
    }
}

/// The probes of each stretch that were surely taken between the two breaks: where a break lies is known only within
/// the probes that fit both sides. Those that fit neither follow by themselves.
std::vector<Probes> sure_stretches(Probes probes) {
    const std::vector<std::size_t> ends = latest_ends(probes);
    std::vector<std::size_t> begins = earliest_begins(probes);
    std::vector<Probes> stretches;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const bool is_last = i + 1 == ends.size();
        const std::size_t first = i == 0 ? 0 : ends[i - 1];
        std::size_t begin = i == 0 ? 0 : first + 1;
        std::size_t end = is_last ? probes.size() : 0;
        if (not is_last and begins.size() == ends.size()) {
            end = begins[i + 1] - 1;
        }
        if (begin >= end) {  // too short to be sure of any: what fits is better than nothing
            begin = std::min(begin, ends[i] - 1);
            end = ends[i];
        }
        if (i > 0 and begin > first and not fit_one_line(probes.subspan(first, end - first))) {
            stretches.push_back(probes.subspan(first, 1));
        }
        stretches.push_back(probes.subspan(begin, end - begin));
    }
    return stretches;
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
                 [](const ProbeTimes& probe) { return not contradicts_itself(probe); });
    fit.used = usable.size();
    fit.left_out = probes.size() - usable.size();
    if (usable.empty()) {
        return fit;
    }
    const std::vector<Probes> stretches = sure_stretches(usable);
    if (stretches.size() > kMostPieces) {
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
