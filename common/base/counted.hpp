// A count of things, in words.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace groma {

/// "1 packet", "2 packets".
[[nodiscard]] inline std::string counted(std::uint64_t count, std::string_view thing) {
    return std::to_string(count).append(" ").append(thing).append(count == 1 ? "" : "s");
}

/// What else depends on the number: is or are, was or were.
[[nodiscard]] constexpr std::string_view by_count(std::uint64_t count, std::string_view one, std::string_view more) {
    return count == 1 ? one : more;
}

}  // namespace groma
