// Reorder density (RFC 5236, 3): how far packets arrived from their places, whatever was lost.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>

namespace groma {

/// Packets by displacement: the receive index less the number, above 0 for a late packet. Sums of several flows add up.
struct ReorderDensityCounts {
    std::map<std::int64_t, std::uint64_t> displacements;
    std::uint64_t beyond = 0;  ///< farther than ReorderDensity::kFarthest: they count as lost

    [[nodiscard]] std::uint64_t packets() const;  ///< without those beyond
    void merge(const ReorderDensityCounts& other);
};

/// The first of a flow's packets to arrive has the receive index of the flow's first number, and each later one the
/// next, without the numbers of lost packets: those that none of the next kFarthest + 1 arrivals has. Memory: a few
/// times that, and nothing while packets arrive in order.
class ReorderDensity {
public:
    /// The displacement threshold DT of RFC 5236.
    static constexpr std::uint64_t kFarthest = 128;

    /// `first`: the flow's first number; empty: that of the first arrival.
    explicit ReorderDensity(std::optional<std::uint64_t> first) : index_(first) {}

    /// The next packets to arrive, in their first copies, with consecutive numbers.
    void add(std::uint64_t first, std::uint64_t count = 1) {
        if (index_ == first and waiting_.empty() and early_.empty()) {
            in_place_ += count;
            *index_ += count;
            return;
        }
        add_each(first, count);
    }

    [[nodiscard]] ReorderDensityCounts counts() const;

private:
    void add_each(std::uint64_t first, std::uint64_t count);
    /// `all_arrived`: no more will.
    void place(bool all_arrived);
    /// Gives the first of those that wait its place, if that is known.
    bool place_next(bool all_arrived);
    [[nodiscard]] bool waits(std::uint64_t number);
    /// index_ is the number of a lost packet: the next that is of another.
    void skip_lost();
    void move_to(std::uint64_t index);
    /// It is as good as lost.
    void drop_first();

    std::optional<std::uint64_t> index_;  ///< the next receive index, if that number is not lost
    std::deque<std::uint64_t> waiting_;   ///< arrivals without a receive index yet
    std::size_t searched_ = 0;            ///< how many of them were compared with index_
    std::set<std::uint64_t> early_;       ///< numbers above index_ that have their receive index
    std::set<std::uint64_t> late_;        ///< numbers below index_ that wait
    std::uint64_t in_place_ = 0;
    ReorderDensityCounts counts_;  ///< of all others
};

}  // namespace groma
