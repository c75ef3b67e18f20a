// The cells of a series by the number of their interval.
#pragma once

#include <algorithm>
#include <bit>
#include <boost/container/deque.hpp>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <utility>

namespace groma {

/// Most intervals come in rising order and are kept side by side; late ones are in a tree. Memory: little more than a
/// cell for each interval, however far apart they are. References stay valid until
/// intervals are doubled.
template <typename Cell>
class SeriesCells {
public:
    /// The cell of an interval, made when there is none.
    Cell& operator[](std::int64_t index) {
        if (rising_.empty() or index > rising_.back().index) {
            return rising_.emplace_back(index).cell;
        }
        const auto place = std::ranges::lower_bound(rising_, index, {}, &Entry::index);
        return place->index == index ? place->cell : late_[index];
    }

    [[nodiscard]] std::size_t size() const { return rising_.size() + late_.size(); }

    /// How often intervals must be doubled until `index` and one that has a cell are the same. 0: it has a cell; 64:
    /// they never are.
    [[nodiscard]] unsigned apart(std::int64_t index) const {
        unsigned least = 64;
        const auto compare = [&](std::int64_t other) {
            const auto differing = static_cast<std::uint64_t>(index) ^ static_cast<std::uint64_t>(other);
            least = std::min(least, static_cast<unsigned>(std::bit_width(differing)));
        };
        const auto around = [&](const auto& cells, auto next, auto index_of) {
            if (next != cells.end()) {
                compare(index_of(*next));
            }
            if (next != cells.begin()) {
                compare(index_of(*std::prev(next)));
            }
        };
        const bool rises = rising_.empty() or index > rising_.back().index;
        around(rising_, rises ? rising_.end() : std::ranges::lower_bound(rising_, index, {}, &Entry::index),
               [](const Entry& entry) { return entry.index; });
        around(late_, late_.lower_bound(index), [](const auto& entry) { return entry.first; });
        return least;
    }

    /// Doubles the intervals so often. Requires: Cell::merge().
    void double_intervals(unsigned times) {
        SeriesCells longer;
        for_each([&](std::int64_t index, const Cell& cell) { longer[index >> times].merge(cell); });
        *this = std::move(longer);
    }

    /// visit(index, const Cell&) for all of them, in rising order.
    template <typename Visit>
    void for_each(Visit visit) const {
        auto late = late_.begin();
        for (const Entry& entry : rising_) {
            for (; late != late_.end() and late->first < entry.index; ++late) {
                visit(late->first, late->second);
            }
            visit(entry.index, entry.cell);
        }
    }

private:
    struct Entry {
        explicit Entry(std::int64_t number) : index(number) {}
        std::int64_t index;
        Cell cell{};
    };

    using Options = boost::container::deque_options<boost::container::block_size<8>>::type;

    boost::container::deque<Entry, void, Options> rising_;
    std::map<std::int64_t, Cell> late_;  ///< indices below the last one of `rising_` that are not in it
};

}  // namespace groma
