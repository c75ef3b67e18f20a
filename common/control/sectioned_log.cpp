#include "common/control/sectioned_log.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "common/base/errors.hpp"
#include "common/os/checked.hpp"

namespace groma {

namespace {

std::uint64_t size_of(const FileDescriptor& fd, const std::string& name) {
    struct stat found {};
    checked("read the log " + name, ::fstat(fd.get(), &found));
    return static_cast<std::uint64_t>(found.st_size);
}

/// Throws: SystemError, also if the file ends before.
std::vector<std::byte> bytes_at(const FileDescriptor& fd, const std::string& name, std::uint64_t offset,
                                std::size_t count) {
    std::vector<std::byte> bytes(count);
    for (std::size_t done = 0; done < count;) {
        const ssize_t more = ::pread(fd.get(), &bytes[done], count - done, static_cast<off_t>(offset + done));
        if (more < 0 and errno == EINTR) {
            continue;
        }
        checked("read the log " + name, more);
        if (more == 0) {
            throw SystemError("read the log " + name, EIO, "it has become shorter");
        }
        done += static_cast<std::size_t>(more);
    }
    return bytes;
}

}  // namespace

LogSection SectionedLog::section(std::uint64_t offset) {
    const std::uint64_t size = size_of(fd_, name_);
    if (offset > size or offset < hashed_) {
        throw UsageError("the log has " + std::to_string(size) + " bytes, of which " + std::to_string(hashed_) +
                         " were fetched: there is no section at " + std::to_string(offset));
    }
    const auto next = [&](std::uint64_t end) {
        const std::uint64_t count = std::min<std::uint64_t>(kLogSectionBytes, end - hashed_);
        auto bytes = bytes_at(fd_, name_, hashed_, static_cast<std::size_t>(count));
        hash_.add(bytes);
        hashed_ += bytes.size();
        return bytes;
    };
    while (hashed_ < offset) {
        static_cast<void>(next(offset));
    }
    std::vector<std::byte> bytes = next(size);
    given_ = hashed_ == size;
    return {.offset = offset, .log_bytes = size, .hash = hash_.value(), .bytes = std::move(bytes)};
}

void SectionedLog::rewind() {
    hash_ = RunningHash();
    hashed_ = 0;
    given_ = false;
}

}  // namespace groma
