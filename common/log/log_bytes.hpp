// The bytes of a log from first to last, looked at through a window: a file is read in pieces, so that memory is needed
// for one block and not for the log.
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

    /// Returns: the bytes from here on, at least `size` of them unless the log ends before; valid until the next call.
    [[nodiscard]] virtual std::span<const std::byte> peek(std::size_t size) = 0;

    /// Goes on by `size` bytes. Requires: they were peeked at.
    void skip(std::size_t size) {
        advance(size);
        offset_ += size;
    }

    /// Of the first byte of the window, in the log.
    [[nodiscard]] std::uint64_t offset() const { return offset_; }

private:
    virtual void advance(std::size_t size) = 0;

    std::uint64_t offset_ = 0;
};

/// Bytes that belong to the caller and outlive this.
class MemoryBytes final : public LogBytes {
public:
    explicit MemoryBytes(std::span<const std::byte> bytes) : rest_(bytes) {}

    [[nodiscard]] std::span<const std::byte> peek(std::size_t /*size*/) override { return rest_; }

private:
    void advance(std::size_t size) override { rest_ = rest_.subspan(size); }

    std::span<const std::byte> rest_;
};

/// A file, a pipe as well. Throws: SystemError when it cannot be opened or read.
class FileBytes final : public LogBytes {
public:
    /// Asked at the end of the file, with its length: whether to look again for more, after a rest of its choice.
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
    std::vector<std::byte> buffer_;  ///< grows with what was read, never with what a header claims
    std::size_t begin_ = 0;
    std::size_t end_ = 0;
    std::uint64_t read_ = 0;  ///< of the file
    bool at_end_ = false;
    WaitForMore wait_for_more_;
    std::uint64_t most_;
};

}  // namespace groma
