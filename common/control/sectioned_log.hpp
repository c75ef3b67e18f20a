// A log on this host's disk in the sections in which it goes to another host over a control connection, from one of
// them to the end.
#pragma once

#include <cstdint>
#include <string>
#include <utility>

#include "common/control/messages.hpp"
#include "common/log/running_hash.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

/// Thread: its owner's.
class SectionedLog {
public:
    /// `name`: of the file, for messages.
    SectionedLog(FileDescriptor fd, std::string name) : name_(std::move(name)), fd_(std::move(fd)) {}

    /// The hash covers what stands before as well, which is read once: sections follow one another.
    /// Requires: the log is closed. Throws: UsageError if it ends before `offset`, or a later section was given;
    /// SystemError.
    [[nodiscard]] LogSection section(std::uint64_t offset);

    /// From now on any section may be the next again.
    void rewind();

    /// Whether its last section was asked for.
    [[nodiscard]] bool given() const { return given_; }

    [[nodiscard]] const FileDescriptor& fd() const { return fd_; }

private:
    std::string name_;
    FileDescriptor fd_;
    RunningHash hash_;
    std::uint64_t hashed_ = 0;  ///< bytes from the beginning
    bool given_ = false;        ///< the last section was asked for
};

}  // namespace groma
