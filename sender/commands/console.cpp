#include "sender/commands/console.hpp"

#include <unistd.h>

#include "common/base/plain_text.hpp"

namespace groma {

Console::Console(bool quiet) : line_(STDERR_FILENO, not quiet) {}

void Console::say(const std::string& sentence) {
    line_.say("groma-send: " + plain_text(sentence));
}

unsigned StopRequests::count() {
    const std::lock_guard lock(mutex_);
    count_ += signals_.take() ? 1U : 0U;
    return count_;
}

}  // namespace groma
