// What the files of keys and tokens have in common: JSON with the field groma_key, and nothing that is not known.
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>

#include "common/json/json_record.hpp"
#include "common/json/json_text.hpp"

namespace groma {

/// Throws: UsageError without the file's name, as the next.
[[nodiscard]] nlohmann::json json_of_key(std::string_view text);
/// Empty: it has none.
[[nodiscard]] std::string kind_of_key(const nlohmann::json& json);
/// What is not known could be a limit.
void require_known(const nlohmann::json& json, std::span<const std::string_view> known);

template <typename Key>
[[nodiscard]] std::string key_text(const Key& key, std::string_view kind) {
    nlohmann::json json = to_json(key);
    json["groma_key"] = kind;
    return json_text(json, 2) + '\n';
}

}  // namespace groma
