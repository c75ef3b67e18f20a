// A ring buffer for bytes of a stream, addressed by their stream offset. The owner tracks which offsets are valid.
// Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace groma {

class DatagramRing {
public:
    /// Does not touch the memory, so that a connection that ships little uses little.
    explicit DatagramRing(std::size_t capacity)
        : capacity_(capacity), bytes_(std::make_unique_for_overwrite<std::byte[]>(capacity)) {}

    [[nodiscard]] std::size_t capacity() const { return capacity_; }

    /// Requires: bytes.size() <= capacity().
    void put(std::uint64_t offset, std::span<const std::byte> bytes) {
        while (not bytes.empty()) {
            const auto part = at(offset, bytes.size());
            std::ranges::copy(bytes.first(part.size()), part.begin());
            bytes = bytes.subspan(part.size());
            offset += part.size();
        }
    }

    /// At most `bytes` bytes from `offset` on; fewer if the buffer wraps in between, but at least one if `bytes` is not
    /// 0.
    [[nodiscard]] std::span<std::byte> at(std::uint64_t offset, std::size_t bytes) {
        const auto place = static_cast<std::size_t>(offset % capacity_);
        return std::span(bytes_.get(), capacity_).subspan(place, std::min(bytes, capacity_ - place));
    }

private:
    std::size_t capacity_;
    std::unique_ptr<std::byte[]> bytes_;
};

}  // namespace groma
