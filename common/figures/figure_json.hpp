// Figures as fields of JSON objects. Unknown figures are null.
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "common/figures/figure.hpp"

namespace groma {

[[nodiscard]] nlohmann::ordered_json to_json(const FigureValue& value);

/// An object with a field for each figure.
template <typename Record>
[[nodiscard]] nlohmann::ordered_json figures_json(const FigureTable<Record>& table, const Record& record) {
    auto object = nlohmann::ordered_json::object();
    for (const Figure<Record>& figure : table) {
        object[figure.name] = to_json(figure.of(record));
    }
    return object;
}

/// An array with `convert(item)` for each item.
template <typename Item, typename ToJson>
[[nodiscard]] nlohmann::ordered_json array_of(const std::vector<Item>& items, ToJson convert) {
    auto list = nlohmann::ordered_json::array();
    for (const Item& item : items) {
        list.push_back(convert(item));
    }
    return list;
}

/// An array with such an object for each record.
template <typename Record>
[[nodiscard]] nlohmann::ordered_json rows_json(const FigureTable<Record>& table, const std::vector<Record>& records) {
    return array_of(records, [&table](const Record& record) { return figures_json(table, record); });
}

}  // namespace groma
