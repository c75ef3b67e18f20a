// Writes a tar archive (POSIX.1-2001 pax, which every tar reads) of files whose sizes are known beforehand.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>

#include "common/os/file_descriptor.hpp"

namespace groma {

class TarWriter {
public:
    /// Makes FILE, which is not there yet. Throws (as all functions): SystemError.
    explicit TarWriter(const std::filesystem::path& file);

    /// A file of exactly so many bytes, which follow with append().
    void begin(const std::string& name, std::uint64_t bytes, std::int64_t seconds_since_epoch);
    void append(std::span<const std::byte> bytes);

    /// Requires: all bytes of all files came.
    void finish();

private:
    void header(const std::string& name, std::uint64_t bytes, std::int64_t seconds, char type);
    void write(std::span<const std::byte> bytes);
    void pad();

    std::filesystem::path path_;
    FileDescriptor fd_;
    std::uint64_t written_ = 0;  ///< of the archive
};

}  // namespace groma
