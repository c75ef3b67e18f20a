#include "sender/commands/terminal_line.hpp"

#include <unistd.h>

#include <string_view>

namespace groma {

namespace {

constexpr std::string_view kBackAndErase = "\r\x1b[K";

}  // namespace

TerminalLine::TerminalLine(int fd, bool wanted) : fd_(fd), wanted_(wanted) {}

std::function<void(const std::string&)> TerminalLine::shower() {
    if (not wanted_ or ::isatty(fd_) != 1) {
        return {};
    }
    return [this](const std::string& text) {
        const std::scoped_lock lock(mutex_);
        shown_ = std::string(kBackAndErase) + text;
        write(shown_);
    };
}

void TerminalLine::say(const std::string& sentence) {
    if (not wanted_) {
        return;
    }
    const std::scoped_lock lock(mutex_);
    write((shown_.empty() ? "" : std::string(kBackAndErase)) + sentence + '\n' + shown_);
}

void TerminalLine::clear() {
    const std::scoped_lock lock(mutex_);
    if (not shown_.empty()) {
        shown_.clear();
        write(std::string(kBackAndErase));
    }
}

void TerminalLine::write(const std::string& text) const {
    // A lost terminal must not end the run.
    if (::write(fd_, text.data(), text.size()) < 0) {
        return;
    }
}

}  // namespace groma
