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

}  // namespace groma
