// The file of a log on a log server: NAME.glog.part until it is complete, then NAME.glog. Bytes count only after a sync
// (logserver/store/sync_sweep.hpp).
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
    /// Opens or creates FILE.part to append after its first `bytes` bytes; truncates unacknowledged bytes after them.
    /// Throws (as all functions): SystemError; RunError if the file is shorter.
    LogFile(std::filesystem::path file, std::uint64_t bytes);

    /// Whether the existing bytes are hashed, so that append() is possible.
    [[nodiscard]] bool is_read() const { return unread_ == 0; }
    /// Hashes the next bytes, at most 1 MiB. Thread: any; only sync() may run concurrently.
    void read_on();
    /// Whether the file still exists under its name.
    [[nodiscard]] bool is_in_place() const;

    /// Appends all bytes, or none if it throws. Requires: is_read().
    void append(std::span<const std::byte> bytes);

    /// Makes the appended bytes durable. Thread: any.
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
    std::uint64_t unread_ = 0;  ///< existing bytes not hashed yet
    RunningHash hash_;
};

/// The name of an incomplete log's file.
[[nodiscard]] std::filesystem::path part_of(const std::filesystem::path& file);

/// Renames FILE.part to its final name; no-op if done already. Throws: SystemError.
void give_name(const std::filesystem::path& file);

/// Undoes give_name(), if a server crashed between the rename and the update of the catalogue.
void take_name_back(const std::filesystem::path& file);

/// Makes new names in a directory durable. Throws: SystemError.
void sync_directory(const std::filesystem::path& directory);

}  // namespace groma
