// Code that the parts of the decoder's JSON share. Unknown values are null.
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
