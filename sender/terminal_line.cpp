#include "sender/terminal_line.hpp"

#include <unistd.h>

namespace groma {

namespace {

constexpr std::string_view kBackAndErase = "\r\x1b[K";

}  // namespace

TerminalLine::TerminalLine(int fd, bool wanted) : fd_(fd), wanted_(wanted and ::isatty(fd) == 1) {}

std::function<void(const std::string&)> TerminalLine::shower() {
    if (not wanted_) {
        return {};
    }
    return [this](const std::string& text) {
        shown_ = true;
        write(std::string(kBackAndErase) + text);
    };
}

void TerminalLine::clear() {
    if (shown_) {
        shown_ = false;
        write(std::string(kBackAndErase));
    }
}

void TerminalLine::write(const std::string& text) const {
    // A terminal that is gone must not end the run.
    if (::write(fd_, text.data(), text.size()) < 0) {
        return;
    }
}

}  // namespace groma
