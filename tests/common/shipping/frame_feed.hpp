// Bytes of a stream for a reader of frames.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "common/shipping/protocol/log_frame_reader.hpp"

namespace groma {

inline std::vector<std::byte> some_bytes(std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i) {
        bytes[i] = static_cast<std::byte>(i * 7 + 3);
    }
    return bytes;
}

inline void feed(LogFrameReader& reader, std::span<const std::byte> bytes) {
    while (not bytes.empty()) {
        const auto space = reader.space();
        const std::size_t count = std::min(space.size(), bytes.size());
        std::ranges::copy(bytes.first(count), space.begin());
        reader.filled(count);
        bytes = bytes.subspan(count);
    }
}

}  // namespace groma
