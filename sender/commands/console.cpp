#include "sender/commands/console.hpp"

#include <unistd.h>

#include "common/base/plain_text.hpp"

namespace groma {

Console::Console(bool quiet) : line_(STDERR_FILENO, not quiet) {}

void Console::say(const std::string& sentence) {
    line_.say("groma-send: " + plain_text(sentence));
}

unsigned StopRequests::count() {
    count_ += signals_.take() ? 1U : 0U;
    return count_;
}

}  // namespace groma
