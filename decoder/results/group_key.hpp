// What flows can be grouped by.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

namespace groma {

enum class GroupKey : std::uint8_t { hosts, transport, profile, label };

[[nodiscard]] std::string_view to_string(GroupKey key);

/// "hosts,transport,profile,label" or some of them. Throws: UsageError that names an unknown key.
[[nodiscard]] std::vector<GroupKey> parse_group_keys(std::string_view text);

}  // namespace groma
