// Reads little-endian numbers from untrusted bytes. The first read beyond the end sets a sticky error, and every later
// read gives 0: a parser is a straight column of reads with one check at its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace groma {

/// The 8 bytes at `data`, little-endian. Requires: 8 readable bytes.
[[nodiscard]] inline std::uint64_t load_u64(const std::byte* data) noexcept {
    // Compilers turn this one expression into a single load, but not a loop.
    const auto at = [data](unsigned i) { return std::to_integer<std::uint64_t>(data[i]) << (8 * i); };
    return at(0) | at(1) | at(2) | at(3) | at(4) | at(5) | at(6) | at(7);
}

class ByteReader {
public:
    explicit ByteReader(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

    [[nodiscard]] std::uint8_t u8() noexcept { return static_cast<std::uint8_t>(little_endian(1)); }
    [[nodiscard]] std::uint16_t u16() noexcept { return static_cast<std::uint16_t>(little_endian(2)); }
    [[nodiscard]] std::uint32_t u32() noexcept { return static_cast<std::uint32_t>(little_endian(4)); }
    [[nodiscard]] std::uint64_t u64() noexcept { return little_endian(8); }

    /// Returns: the next `size` bytes, which stay the caller's; empty if there are fewer.
    [[nodiscard]] std::span<const std::byte> bytes(std::size_t size) noexcept {
        if (size > rest_.size()) {
            fail();
            return {};
        }
        const auto taken = rest_.first(size);
        rest_ = rest_.subspan(size);
        return taken;
    }

    /// The bytes that have not been read.
    [[nodiscard]] std::span<const std::byte> rest() const noexcept { return rest_; }

    /// For a value that was read but is invalid.
    void fail() noexcept {
        failed_ = true;
        rest_ = {};
    }

    [[nodiscard]] bool failed() const noexcept { return failed_; }
    /// Whether all bytes were read without an error.
    [[nodiscard]] bool finished() const noexcept { return not failed_ and rest_.empty(); }

private:
    [[nodiscard]] std::uint64_t little_endian(unsigned size) noexcept {
        std::uint64_t value = 0;
        const auto taken = bytes(size);
        for (std::size_t i = 0; i < taken.size(); ++i) {
            value |= std::to_integer<std::uint64_t>(taken[i]) << (8 * i);
        }
        return value;
    }

    std::span<const std::byte> rest_;
    bool failed_ = false;
};

}  // namespace groma
