// Pages and JSON Schemas of docs/reference that are made of the tables of figures.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "common/figures/figure.hpp"

namespace groma {

inline std::string_view type_name(FigureType type) {
    switch (type) {
        case FigureType::integer:
            return "integer";
        case FigureType::real:
            return "real";
        case FigureType::flag:
            return "flag";
        case FigureType::text:
            break;
    }
    return "text";
}

template <typename Record>
void describe_table(std::string& page, std::string_view title, const FigureTable<Record>& table) {
    page.append("\n## ").append(title).append("\n\n| figure | type | meaning |\n|---|---|---|\n");
    for (const Figure<Record>& figure : table) {
        page.append("| `").append(figure.name).append("` | ").append(type_name(figure.type)).append(" | ");
        for (const char c : figure.meaning) {
            page.append(c == '|' ? "\\|" : std::string(1, c));
        }
        page += " |\n";
    }
}

/// Schemas: JSON Schema, draft 2020-12.
using Schema = nlohmann::ordered_json;

inline Schema schema_type(FigureType type) {
    switch (type) {
        case FigureType::integer:
            return "integer";
        case FigureType::real:
            return "number";
        case FigureType::flag:
            return "boolean";
        case FigureType::text:
            break;
    }
    return "string";
}

/// Of an object that has all of `properties` and nothing else.
inline Schema object_schema(Schema properties, bool may_be_null = false) {
    Schema required = Schema::array();
    for (const auto& [name, schema] : properties.items()) {
        required.push_back(name);
    }
    return {{"type", may_be_null ? Schema{"object", "null"} : Schema("object")},
            {"properties", std::move(properties)},
            {"required", std::move(required)},
            {"additionalProperties", false}};
}

inline Schema array_schema(Schema items) {
    return {{"type", "array"}, {"items", std::move(items)}};
}

inline Schema text_schema() {
    return {{"type", "string"}};
}

template <typename Record>
Schema figure_properties(const FigureTable<Record>& table) {
    Schema properties = Schema::object();
    for (const Figure<Record>& figure : table) {
        properties[figure.name] = {{"type", {schema_type(figure.type), "null"}}, {"description", figure.meaning}};
    }
    return properties;
}

template <typename Record>
Schema figures_schema(const FigureTable<Record>& table, bool may_be_null = false) {
    return object_schema(figure_properties(table), may_be_null);
}

inline std::string schema_text(std::string_view title, Schema properties) {
    Schema schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", title}};
    schema.update(object_schema(std::move(properties)));
    return schema.dump(1) + '\n';
}

}  // namespace groma
