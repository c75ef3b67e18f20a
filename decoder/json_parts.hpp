// What the parts of the JSON report have in common. What is unknown is null.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>

#include "common/time/instant.hpp"
#include "decoder/spread.hpp"

namespace groma {

using Json = nlohmann::ordered_json;

template <typename Value>
[[nodiscard]] Json or_null(const std::optional<Value>& value) {
    return value ? Json(*value) : Json(nullptr);
}

[[nodiscard]] inline Json seconds_or_null(const std::optional<Nanos>& span) {
    return span ? Json(to_seconds(*span)) : Json(nullptr);
}

template <typename Item, typename ToJson>
[[nodiscard]] Json array_of(const std::vector<Item>& items, ToJson convert) {
    Json json = Json::array();
    for (const Item& item : items) {
        json.push_back(convert(item));
    }
    return json;
}

[[nodiscard]] Json to_json(const Spread& spread);

}  // namespace groma
