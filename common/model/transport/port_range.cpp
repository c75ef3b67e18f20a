#include "common/model/transport/port_range.hpp"

#include <charconv>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"

namespace groma {

namespace {

/// Returns: 0 if it is not a port.
std::uint16_t port(std::string_view text) {
    std::uint16_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() and end == text.data() + text.size() ? value : std::uint16_t{0};
}

}  // namespace

PortRange parse_port_range(std::string_view text) {
    const std::size_t dash = text.find('-');
    const std::string shown = std::string("'").append(plain_text(text, 40)).append("' is not a range of ports: ");
    if (dash == std::string_view::npos) {
        throw UsageError(shown + "write FIRST-LAST, such as 5000-5099");
    }
    const PortRange range{port(text.substr(0, dash)), port(text.substr(dash + 1))};
    if (range.first == 0 or range.last == 0) {
        throw UsageError(shown + "ports are whole numbers from 1 to 65535");
    }
    if (range.first > range.last) {
        throw UsageError(shown + "its first is behind its last");
    }
    return range;
}

std::string to_string(const PortRange& range) {
    return std::to_string(range.first).append("-").append(std::to_string(range.last));
}

}  // namespace groma
