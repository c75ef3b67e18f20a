// The file of a log on a log server: NAME.glog.part until finish(), NAME.glog afterwards. Bytes count only once sync()
// has returned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

#include "common/log/running_hash.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class LogFile {
public:
    /// Opens or makes FILE.part and goes on behind its first `bytes` bytes; what is beyond was never acknowledged and
    /// is cut off. Throws (as all functions): SystemError; RunError when the file is shorter than that.
    LogFile(std::filesystem::path file, std::uint64_t bytes);

    void append(std::span<const std::byte> bytes);
    void sync();
    /// Makes all durable and gives the file its name. Nothing may be appended afterwards.
    void finish();

    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    [[nodiscard]] std::uint64_t hash() const { return hash_.value(); }

private:
    void go_on_behind(std::uint64_t bytes);

    std::filesystem::path file_;
    std::filesystem::path part_;
    FileDescriptor fd_;
    std::uint64_t bytes_ = 0;
    RunningHash hash_;
};

/// Makes a new name in a directory durable. Throws: SystemError.
void sync_directory(const std::filesystem::path& directory);

}  // namespace groma
