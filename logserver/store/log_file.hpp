// The file of a log on a log server: NAME.glog.part until it is complete, NAME.glog then. Bytes count only once they
// have been made durable (logserver/store/sync_sweep.hpp).
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
    /// Opens or makes FILE.part to go on behind its first `bytes` bytes; what is beyond was never acknowledged and
    /// is cut off. Throws (as all functions): SystemError; RunError when the file is shorter than that.
    LogFile(std::filesystem::path file, std::uint64_t bytes);

    /// These bytes have been hashed, so that the file can go on.
    [[nodiscard]] bool is_read() const { return unread_ == 0; }
    /// Hashes some more of them, at most a MiB. Thread: any, if nothing else but sync() is called meanwhile.
    void read_on();
    /// The file is still there under its name.
    [[nodiscard]] bool is_in_place() const;

    /// All of them or, when it throws, none. Requires: is_read().
    void append(std::span<const std::byte> bytes);

    /// Makes durable what has been appended. Thread: any.
    void sync() const;

    [[nodiscard]] const std::filesystem::path& file() const { return file_; }
    [[nodiscard]] std::uint64_t bytes() const { return bytes_; }
    /// Requires: is_read().
    [[nodiscard]] std::uint64_t hash() const { return hash_.value(); }

private:
    void require_bytes(std::uint64_t there) const;

    std::filesystem::path file_;
    std::filesystem::path part_;
    FileDescriptor fd_;
    std::uint64_t bytes_ = 0;
    std::uint64_t unread_ = 0;  ///< of them
    RunningHash hash_;
};

/// What a log's file is called until it is complete.
[[nodiscard]] std::filesystem::path part_of(const std::filesystem::path& file);

/// Gives the finished FILE.part its name; nothing when that has happened. Throws: SystemError.
void give_name(const std::filesystem::path& file);

/// Takes it back: a server that died after that and before the catalogue's note of it did not complete the log.
void take_name_back(const std::filesystem::path& file);

/// Makes new names in a directory durable. Throws: SystemError.
void sync_directory(const std::filesystem::path& directory);

}  // namespace groma
