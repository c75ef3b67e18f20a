// The cells of a series by the number of their interval.
#pragma once

#include <algorithm>
#include <boost/container/deque.hpp>
#include <cstdint>
#include <map>

namespace groma {

/// Most intervals come in rising order and are kept side by side; late ones are in a tree. Memory: little more than a
/// cell for each interval, however far apart they are. References stay valid.
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
