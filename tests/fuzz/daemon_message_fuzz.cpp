// Untrusted messages to a daemon: read, or refused with a ProtocolError. A message that was read is the same once
// written and read again, and a requested run becomes options or is refused with its errors.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>

#include "common/base/errors.hpp"
#include "sender/daemon/daemon_messages.hpp"
#include "sender/daemon/run_request.hpp"

namespace {

void ask(const groma::RunRequest& request) {
    try {
        (void)groma::options_of(request, {}, {});
    } catch (const groma::UsageError&) {
        return;
    }
    groma::check(false, "a run without flows was accepted");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::string written;
    try {
        const groma::DaemonMessage message = groma::parse_daemon_message(text, "fuzz");
        if (const auto* const request = std::get_if<groma::RunRequest>(&message)) {
            ask(*request);
        }
        written = groma::serialize(message);
    } catch (const groma::ProtocolError&) {
        return 0;
    }
    const std::string again = groma::serialize(groma::parse_daemon_message(written, "fuzz"));
    groma::check(written == again, "a message that was read and written reads differently");
    return 0;
}
