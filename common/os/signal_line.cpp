#include "common/os/signal_line.hpp"

#include <fcntl.h>
#include <sys/ioctl.h>

#include <cerrno>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

int lines_of(std::string_view name, std::string_view whole) {
    if (name == "rts") {
        return TIOCM_RTS;
    }
    if (name == "dtr") {
        return TIOCM_DTR;
    }
    throw UsageError("'" + plain_text(whole, 100) + "' names no line: write DEVICE, DEVICE:rts or DEVICE:dtr");
}

}  // namespace

SignalLine::SignalLine(std::string_view text) : device_(text.substr(0, text.find(':'))) {
    const std::size_t colon = text.find(':');
    lines_ = colon == std::string_view::npos ? TIOCM_RTS | TIOCM_DTR : lines_of(text.substr(colon + 1), text);
    port_ = FileDescriptor(::open(device_.c_str(), O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (not port_.valid()) {
        const int error = errno;
        throw SystemError("open the serial port " + plain_text(device_, 100), error,
                          "give a port such as /dev/ttyS0 that this user may open");
    }
    if (::ioctl(port_.get(), TIOCMBIC, &lines_) < 0) {
        const int error = errno;
        throw SystemError("drop the lines of " + plain_text(device_, 100), error,
                          "it takes a serial port with RTS and DTR, such as /dev/ttyS0 or /dev/ttyUSB0");
    }
}

void SignalLine::pulse() noexcept {
    const bool raised = ::ioctl(port_.get(), TIOCMBIS, &lines_) == 0;
    const bool dropped = ::ioctl(port_.get(), TIOCMBIC, &lines_) == 0;
    if (not raised or not dropped) {
        failures_.fetch_add(1, std::memory_order_relaxed);
    }
}

}  // namespace groma
