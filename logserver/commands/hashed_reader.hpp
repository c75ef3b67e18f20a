// Reads and hashes the acknowledged bytes of a stored log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <span>

namespace groma {

struct HashedBytes {
    std::uint64_t bytes = 0;  ///< fewer than requested if the file is shorter
    std::uint64_t hash = 0;
};

/// Passes the first `bytes` bytes of the file to `take` in pieces. Throws: SystemError.
HashedBytes read_hashed(const std::filesystem::path& file, std::uint64_t bytes,
                        const std::function<void(std::span<const std::byte>)>& take);

}  // namespace groma
