// What the parts of the decoder's JSON have in common. What is unknown is null.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

namespace groma {

using Json = nlohmann::ordered_json;

template <typename Value>
[[nodiscard]] Json or_null(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

}  // namespace groma
