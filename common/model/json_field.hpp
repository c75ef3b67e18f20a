// Bounded reading of fields of JSON objects that a peer or a file made; every mistake is a UsageError that names the
// field.
#pragma once

#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace groma {

/// Returns: the field, or null when it is missing or JSON's null. Throws: when `object` is no object.
[[nodiscard]] const nlohmann::json* optional_field(const nlohmann::json& object, std::string_view name);
[[nodiscard]] const nlohmann::json& required_field(const nlohmann::json& object, std::string_view name);

[[nodiscard]] double number_field(const nlohmann::json& object, std::string_view name);
[[nodiscard]] std::uint64_t unsigned_field(const nlohmann::json& object, std::string_view name, std::uint64_t least,
                                           std::uint64_t most);
[[nodiscard]] std::string string_field(const nlohmann::json& object, std::string_view name, std::size_t most_bytes);
[[nodiscard]] std::vector<double> numbers_field(const nlohmann::json& object, std::string_view name, std::size_t most);

}  // namespace groma
