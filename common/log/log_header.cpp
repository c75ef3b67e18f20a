#include "common/log/log_header.hpp"

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

[[noreturn]] void refuse(const std::string& name, const std::string& what) {
    throw ParseError(name, {TextError{.line = 0, .column = 0, .what = what}});
}

std::string beginning_of(std::span<const std::byte> bytes) {
    constexpr std::size_t kShown = 8;
    const auto* text = reinterpret_cast<const char*>(bytes.data());
    return plain_text(std::string_view(text, std::min(bytes.size(), kShown)));
}

}  // namespace

void pass_log_header(LogBytes& bytes, const std::string& name, BlockStream& blocks) {
    const auto start = bytes.peek(kLogHeaderSize);
    if (start.empty()) {
        refuse(name, "is empty: whatever should have written this log did not start");
    }
    const LogHeader header = parse_log_header(start);
    switch (header.state) {
        case LogHeader::State::foreign:
            refuse(name, "is not a Groma log (starts with \"" + beginning_of(start) + "\")");
        case LogHeader::State::cut:
            refuse(name, "ends within the header of a Groma log: it holds no records");
        case LogHeader::State::damaged:
            blocks.start_gap(0, "the header of the log is damaged");
            break;
        case LogHeader::State::whole:
            break;
    }
    if (header.state == LogHeader::State::whole and header.version != kLogVersion) {
        refuse(name, std::string("was written by ") + (header.version > kLogVersion ? "a newer" : "another") +
                         " version of Groma (log format " + std::to_string(header.version) +
                         "; this program reads format " + std::to_string(kLogVersion) + ")");
    }
    bytes.skip(kLogHeaderSize);
}

}  // namespace groma
