// Reads the bytes of a stored log that the catalogue vouches for, and hashes them on the way.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

namespace groma {

struct HashedBytes {
    std::uint64_t bytes = 0;  ///< fewer than asked for when the file ends before
    std::uint64_t hash = 0;
};

/// Hands the first `bytes` bytes of the file to `take`, piece by piece. Throws: SystemError.
HashedBytes read_hashed(const std::filesystem::path& file, std::uint64_t bytes,
                        const std::function<void(std::span<const std::byte>)>& take);

}  // namespace groma
