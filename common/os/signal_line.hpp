// A serial port whose control lines are raised briefly, so that an oscilloscope or a counter sees when a packet left or
// arrived.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// Thread: any for pulse() and the counts.
class SignalLine {
public:
    /// "/dev/ttyS0", "/dev/ttyS0:rts" or "/dev/ttyS0:dtr"; without a name both lines. Lowers them. Throws: UsageError
    /// for another line's name; SystemError if the port does not exist or has no such lines.
    explicit SignalLine(std::string_view text);

    /// Raises and lowers the lines. Packet path: two system calls.
    void pulse() noexcept;

    [[nodiscard]] std::uint64_t failures() const noexcept { return failures_.load(std::memory_order_relaxed); }
    [[nodiscard]] const std::string& device() const noexcept { return device_; }

private:
    std::string device_;
    int lines_ = 0;  ///< TIOCM_ bits
    FileDescriptor port_;
    std::atomic<std::uint64_t> failures_{0};
};

}  // namespace groma
