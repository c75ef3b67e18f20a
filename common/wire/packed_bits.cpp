#include "common/wire/packed_bits.hpp"

#include <algorithm>

#include "common/base/vectorised.hpp"
#include "common/wire/byte_reader.hpp"

namespace groma {

namespace {

/// Writes bits, the lowest first, one word at a time.
class BitWriter {
public:
    explicit BitWriter(std::span<std::byte> out) noexcept : out_(out) {}

    /// Requires: value < 2^width, and room.
    void put(std::uint64_t value, unsigned width) noexcept {
        word_ |= value << used_;
        used_ += width;
        if (used_ < 64) {
            return;
        }
        store(8);
        used_ -= 64;
        word_ = used_ == 0 ? 0 : value >> (width - used_);
    }

    /// Fills the last byte with zeros.
    void finish() noexcept { store((used_ + 7) / 8); }

private:
    void store(std::size_t bytes) noexcept {
        for (std::size_t i = 0; i < bytes; ++i) {
            out_[i] = static_cast<std::byte>(word_ >> (8 * i));
        }
        out_ = out_.subspan(bytes);
    }

    std::span<std::byte> out_;
    std::uint64_t word_ = 0;
    unsigned used_ = 0;  ///< bits of the word, below 64 between calls
};

/// The `width` bits at `bit`, close to the end of the bytes.
std::uint64_t bits_near_end(std::span<const std::byte> bytes, std::size_t bit, unsigned width) noexcept {
    std::uint64_t value = 0;
    for (unsigned done = 0; done < width;) {
        const unsigned shift = static_cast<unsigned>((bit + done) % 8);
        value |= (std::to_integer<std::uint64_t>(bytes[(bit + done) / 8]) >> shift) << done;
        done += 8 - shift;
    }
    return width < 64 ? value & ((std::uint64_t{1} << width) - 1) : value;
}

}  // namespace

void pack_bits(std::span<const std::uint64_t> values, PackedFrame frame, std::span<std::byte> out) noexcept {
    BitWriter bits(out);
    for (const std::uint64_t value : values) {
        bits.put(value - frame.minimum, frame.width);
    }
    bits.finish();
}

GROMA_VECTORISED void unpack_bits(std::span<const std::byte> bytes, PackedFrame frame,
                                  std::span<std::uint64_t> values) noexcept {
    constexpr unsigned kOneLoad = 57;  // this number of bits fits one word, from any bit of its first byte on
    std::size_t i = 0;
    if (frame.width <= kOneLoad and bytes.size() >= 8) {
        const std::uint64_t mask = (std::uint64_t{1} << frame.width) - 1;
        const std::size_t last = (bytes.size() - 8) * 8;
        const std::size_t whole = frame.width == 0 ? values.size() : std::min(values.size(), last / frame.width + 1);
        for (; i < whole; ++i) {
            const std::size_t bit = i * frame.width;
            values[i] = frame.minimum + ((load_u64(bytes.data() + bit / 8) >> (bit % 8)) & mask);
        }
    }
    for (; i < values.size(); ++i) {
        values[i] = frame.minimum + bits_near_end(bytes, i * frame.width, frame.width);
    }
}

}  // namespace groma
