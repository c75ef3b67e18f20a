#include "common/stats/clock/clock_stretches.hpp"

#include <algorithm>
#include <cstddef>

#include "common/stats/clock/offset_lines.hpp"

namespace groma {

namespace {

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

/// The ends of the stretches if each is made as long as possible, the first one first. The probe after a stretch may
/// have been under way when the clock stepped: it belongs to neither side, and the next stretch omits it.
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

}  // namespace

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

}  // namespace groma
