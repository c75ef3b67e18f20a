// Untrusted control messages: read, or refused with a ProtocolError; a message that was read is the same once written
// and read again.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/control/messages.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    std::string written;
    try {
        written = groma::serialize(groma::parse_message(text, "fuzz"));
    } catch (const groma::ProtocolError&) {
        return 0;
    }
    const std::string again = groma::serialize(groma::parse_message(written, "fuzz"));
    groma::check(written == again, "a message that was read and written reads differently");
    return 0;
}
