// Appends numbers to a vector of bytes, field by field, little-endian as in logs. Never copies memory, so the bytes are
// the same on every machine. The vector belongs to the caller and outlives the writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace groma {

class ByteWriter {
public:
    explicit ByteWriter(std::vector<std::byte>& out) : out_(out) {}

    void u8(std::uint8_t value) { little_endian(value, 1); }
    void u16(std::uint16_t value) { little_endian(value, 2); }
    void u32(std::uint32_t value) { little_endian(value, 4); }
    void u64(std::uint64_t value) { little_endian(value, 8); }
    void bytes(std::span<const std::byte> data) { out_.insert(out_.end(), data.begin(), data.end()); }

private:
    void little_endian(std::uint64_t value, unsigned size) {
        for (unsigned i = 0; i < size; ++i) {
            out_.push_back(static_cast<std::byte>(value >> (8 * i)));
        }
    }

    std::vector<std::byte>& out_;
};

}  // namespace groma
