// Reads the bytes of a log in order through a window: memory for one block, not for the log.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <span>
#include <vector>

#include "common/os/file_descriptor.hpp"

namespace groma {

class LogBytes {
public:
    LogBytes() = default;
    LogBytes(const LogBytes&) = delete;
    LogBytes& operator=(const LogBytes&) = delete;
    virtual ~LogBytes() = default;

    /// Returns: the bytes from here on, at least `size` unless the log ends before; valid until the next call.
    [[nodiscard]] virtual std::span<const std::byte> peek(std::size_t size) = 0;

    /// Advances by `size` bytes. Requires: peek() returned them.
    void skip(std::size_t size) {
        advance(size);
        offset_ += size;
    }

    /// Offset of the window's first byte in the log.
    [[nodiscard]] std::uint64_t offset() const { return offset_; }

private:
    virtual void advance(std::size_t size) = 0;

    std::uint64_t offset_ = 0;
};

/// Bytes of the caller, which outlive this object.
class MemoryBytes final : public LogBytes {
public:
    explicit MemoryBytes(std::span<const std::byte> bytes) : rest_(bytes) {}

    [[nodiscard]] std::span<const std::byte> peek(std::size_t /*size*/) override { return rest_; }

private:
    void advance(std::size_t size) override { rest_ = rest_.subspan(size); }

    std::span<const std::byte> rest_;
};

/// A file or a pipe. Throws: SystemError if it cannot be opened or read.
class FileBytes final : public LogBytes {
public:
    /// Called at the end of the file, with its length. Returns: whether to read again; may wait before.
    using WaitForMore = std::function<bool(std::uint64_t bytes)>;

    /// Without `wait_for_more`, the log ends where the file does, or after its first `most` bytes.
    explicit FileBytes(const std::filesystem::path& file, WaitForMore wait_for_more = {},
                       std::uint64_t most = std::numeric_limits<std::uint64_t>::max());

    [[nodiscard]] std::span<const std::byte> peek(std::size_t size) override;

private:
    void advance(std::size_t size) override { begin_ += size; }
    void read_more();

    std::filesystem::path file_;
    FileDescriptor fd_;
    std::vector<std::byte> buffer_;  ///< grows with the bytes read, never with a header's claim
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint64_t read_ = 0;  ///< of the file
    bool at_end_ = false;
    WaitForMore wait_for_more_;
    std::uint64_t most_;
};

}  // namespace groma
