// A set of sequence numbers, for joining what two logs say packet by packet. Memory: one bit a number, in pages of
// 4096; at most kMostPages of them, whatever the logs contain.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>

namespace groma {

class SequenceSet {
public:
    static constexpr std::size_t kMostPages = std::size_t{1} << 18;  ///< 2^30 numbers in a row, 128 MiB

    void add(std::uint64_t seq);

    /// Everything that was added is in it.
    [[nodiscard]] bool complete() const { return complete_; }

    /// How many numbers are in this set and not in the other; empty if one of them is not complete.
    [[nodiscard]] std::optional<std::uint64_t> count_beyond(const SequenceSet& other) const;

private:
    static constexpr std::uint64_t kWords = 64;
    static constexpr std::uint64_t kPageNumbers = kWords * 64;
    using Page = std::array<std::uint64_t, kWords>;

    std::map<std::uint64_t, Page> pages_;
    Page* latest_ = nullptr;  ///< map nodes do not move; consecutive numbers are usually in one page
    std::uint64_t latest_index_ = 0;
    bool complete_ = true;
};

}  // namespace groma
