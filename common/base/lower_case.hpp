// Names that are compared without regard to case, such as those of hosts.
#pragma once

#include <string>
#include <string_view>

namespace groma {

/// Letters of ASCII only.
[[nodiscard]] inline std::string in_lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) {
        c = c >= 'A' and c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return lower;
}

}  // namespace groma
