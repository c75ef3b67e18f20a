#include "common/wire/packed_column.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "common/base/vectorised.hpp"
#include "common/wire/byte_writer.hpp"
#include "common/wire/packed_bits.hpp"

namespace groma {

namespace {

constexpr unsigned kMaxOrder = 2;
constexpr std::uint8_t kOrderBits = 0x03;
constexpr std::uint8_t kConstant = 0x80;
constexpr std::size_t kGroupHeader = 9;

PackedFrame frame_of(std::span<const std::uint64_t> group) noexcept {
    // Compares as signed numbers: differences are small on both sides of zero.
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    std::int64_t greatest = std::numeric_limits<std::int64_t>::min();
    for (const std::uint64_t value : group) {
        least = std::min(least, static_cast<std::int64_t>(value));
        greatest = std::max(greatest, static_cast<std::int64_t>(value));
    }
    const auto minimum = static_cast<std::uint64_t>(least);
    return {minimum, static_cast<unsigned>(std::bit_width(static_cast<std::uint64_t>(greatest) - minimum))};
}

bool is_constant(std::span<const std::uint64_t> values) noexcept {
    return std::ranges::all_of(values, [&](std::uint64_t value) { return value == values.front(); });
}

template <typename Visit>
void for_each_group(std::span<const std::uint64_t> values, Visit visit) {
    for (std::size_t from = 0; from < values.size(); from += kPackedGroup) {
        visit(values.subspan(from, std::min(kPackedGroup, values.size() - from)));
    }
}

struct Cost {
    std::size_t bytes = 0;
    bool constant = false;  ///< a higher order cannot be cheaper
};

Cost cost_of(unsigned order, std::span<const std::uint64_t> residuals) noexcept {
    Cost cost{.bytes = std::size_t{8} * order};
    if (is_constant(residuals)) {
        return {.bytes = cost.bytes + 8, .constant = true};
    }
    for_each_group(residuals,
                   [&](auto group) { cost.bytes += kGroupHeader + packed_size(group.size(), frame_of(group).width); });
    return cost;
}

/// Replaces each value but the first by its difference from the one before.
void differentiate(std::span<std::uint64_t> values) noexcept {
    for (std::size_t i = values.size() - 1; i > 0; --i) {
        values[i] -= values[i - 1];
    }
}

void integrate(std::span<std::uint64_t> values) noexcept {
    std::uint64_t sum = 0;
    for (std::uint64_t& value : values) {
        sum += value;
        value = sum;
    }
}

GROMA_VECTORISED void fill_evenly(std::span<std::uint64_t> values, std::uint64_t first, std::uint64_t step) noexcept {
    for (std::size_t i = 0; i < values.size(); ++i) {
        values[i] = first + i * step;
    }
}

/// Replaces the values by differences of the cheapest order. Returns: that order. The first `order` places then hold
/// the first value of each lower order, the others the residuals.
unsigned choose_order(std::span<std::uint64_t> values) noexcept {
    unsigned best = 0;
    Cost cost = cost_of(0, values);
    std::size_t least_bytes = cost.bytes;
    unsigned order = 0;
    while (not cost.constant and order < kMaxOrder and order + 1 < values.size()) {
        differentiate(values.subspan(order));
        ++order;
        cost = cost_of(order, values.subspan(order));
        if (cost.bytes < least_bytes) {
            least_bytes = cost.bytes;
            best = order;
        }
    }
    for (; order > best; --order) {
        integrate(values.subspan(order - 1));
    }
    return best;
}

void pack_group(std::span<const std::uint64_t> group, std::vector<std::byte>& out) {
    const PackedFrame frame = frame_of(group);
    ByteWriter writer(out);
    writer.u8(static_cast<std::uint8_t>(frame.width));
    writer.u64(frame.minimum);
    const std::size_t start = out.size();
    out.resize(start + packed_size(group.size(), frame.width));
    pack_bits(group, frame, std::span(out).subspan(start));
}

void unpack_groups(ByteReader& in, std::span<std::uint64_t> residuals) noexcept {
    for (std::size_t from = 0; from < residuals.size() and not in.failed(); from += kPackedGroup) {
        const auto group = residuals.subspan(from, std::min(kPackedGroup, residuals.size() - from));
        const unsigned width = in.u8();
        const PackedFrame frame{in.u64(), width};
        const auto ahead = in.rest();
        static_cast<void>(in.bytes(packed_size(group.size(), width)));
        if (width > 64) {
            in.fail();
        }
        if (not in.failed()) {
            unpack_bits(ahead, frame, group);
        }
    }
}

}  // namespace

void pack_column(std::span<std::uint64_t> values, std::vector<std::byte>& out) {
    if (values.empty()) {
        return;
    }
    const unsigned order = choose_order(values);
    const std::span<const std::uint64_t> residuals = values.subspan(order);
    const bool constant = is_constant(residuals);
    ByteWriter writer(out);
    writer.u8(static_cast<std::uint8_t>(constant ? order | kConstant : order));
    for (const std::uint64_t first : values.first(order)) {
        writer.u64(first);
    }
    if (constant) {
        writer.u64(residuals.front());
        return;
    }
    for_each_group(residuals, [&](auto group) { pack_group(group, out); });
}

void unpack_column(ByteReader& in, std::span<std::uint64_t> values) noexcept {
    if (values.empty()) {
        return;
    }
    const std::uint8_t mode = in.u8();
    const unsigned order = mode & kOrderBits;
    if (order > kMaxOrder or order >= values.size() or (mode & ~(kOrderBits | kConstant)) != 0) {
        in.fail();
        return;
    }
    for (std::uint64_t& first : values.first(order)) {
        first = in.u64();
    }
    const auto residuals = values.subspan(order);
    if ((mode & kConstant) == 0) {
        unpack_groups(in, residuals);
    } else if (order == 1) {
        fill_evenly(values, values.front(), in.u64());
        return;
    } else {
        std::ranges::fill(residuals, in.u64());
    }
    for (unsigned level = order; level > 0; --level) {
        integrate(values.subspan(level - 1));
    }
}

}  // namespace groma
