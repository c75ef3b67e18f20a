// Files for the fuzz targets of code that reads files.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <span>
#include <string>

#include "common/base/errors.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// A file in memory, which is removed with this object.
class MemoryFile {
public:
    MemoryFile() : fd_(::memfd_create("input", MFD_CLOEXEC)) { check(fd_.get() >= 0, "there is memory"); }
    explicit MemoryFile(std::span<const std::byte> content) : MemoryFile() { append(content); }

    void append(std::span<const std::byte> bytes) {
        check(::write(fd_.get(), bytes.data(), bytes.size()) == static_cast<ssize_t>(bytes.size()), "there is memory");
    }
    [[nodiscard]] std::string path() const { return "/proc/self/fd/" + std::to_string(fd_.get()); }

private:
    FileDescriptor fd_;
};

}  // namespace groma
