// Reads the fields of a JSON object that nobody vouches for. Each function names the field and what was expected of it
// in the UsageError that it throws when the field is missing, of another type or out of bounds.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "common/base/ids.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// No text in a log is longer; a longer one is cut when it is written.
inline constexpr std::size_t kMaxLogText = 4096;
inline constexpr std::size_t kMaxLogFlows = 100'000;

[[nodiscard]] std::string text_field(const nlohmann::json& object, const char* name);
[[nodiscard]] std::uint64_t count_field(const nlohmann::json& object, const char* name);
[[nodiscard]] WallTime time_field(const nlohmann::json& object, const char* name);
[[nodiscard]] FlowId flow_field(const nlohmann::json& object, const char* name);

/// Returns: the array of that name, which has at most `limit` elements.
[[nodiscard]] const nlohmann::json& array_field(const nlohmann::json& object, const char* name, std::size_t limit);

/// Returns: `text`, cut to kMaxLogText.
[[nodiscard]] std::string cut_text(std::string_view text);

}  // namespace groma
