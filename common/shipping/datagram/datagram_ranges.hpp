// A set of numbers as sorted, disjoint, half-open ranges: received datagrams, acknowledged bytes, bytes to send again.
// Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace groma {

struct NumberRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;  ///< one past the last

    [[nodiscard]] std::uint64_t size() const { return end - begin; }
    bool operator==(const NumberRange&) const = default;
};

class NumberRanges {
public:
    /// Returns: whether any of the numbers was new.
    bool add(NumberRange range);
    void remove(NumberRange range);
    /// Removes all numbers below `limit`.
    void remove_below(std::uint64_t limit) { remove({0, limit}); }

    [[nodiscard]] bool contains(std::uint64_t number) const;
    /// The range that contains `number`.
    [[nodiscard]] std::optional<NumberRange> around(std::uint64_t number) const;

    [[nodiscard]] bool empty() const { return ranges_.empty(); }
    [[nodiscard]] std::size_t count() const { return ranges_.size(); }  ///< number of ranges
    [[nodiscard]] const NumberRange& front() const { return ranges_.front(); }
    [[nodiscard]] const NumberRange& back() const { return ranges_.back(); }
    /// Lowest first.
    [[nodiscard]] std::span<const NumberRange> all() const { return ranges_; }

private:
    std::vector<NumberRange> ranges_;
};

}  // namespace groma
