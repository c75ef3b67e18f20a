// The JSON of a structure, described once: one function names the fields and their bounds, for writing and for reading.
//
//     template <typename Fields>
//     void describe(Fields& fields, As<Fields, SentFlow>& flow) {
//         fields("flow", flow.flow);
//         fields("packets", flow.packets);
//     }
//
// It stands in namespace groma, where both directions find it. What is read is untrusted: each value is checked, and an
// error names the field, its rule and its place: "'port' must be a whole number from 1 to 65535 (in
// 'flows[2].target')".
#pragma once

#include <nlohmann/json.hpp>
#include <string_view>

#include "common/json/describe.hpp"
#include "common/json/json_reader.hpp"
#include "common/json/json_writer.hpp"

namespace groma {

template <typename Record>
[[nodiscard]] nlohmann::json to_json(const Record& record) requires requires(JsonWriter& fields) {
    describe(fields, record);
}
{ return JsonWriter::written(record); }

/// One field of an object. Throws: UsageError.
template <typename Value, typename... Bounds>
[[nodiscard]] Value json_field(const nlohmann::json& object, std::string_view name, const Bounds&... bounds) {
    Value value{};
    JsonReader fields(object, JsonForm::object);
    fields(name, value, bounds...);
    return value;
}

/// Throws: UsageError.
template <typename Record>
[[nodiscard]] Record from_json(const nlohmann::json& json) {
    Record record{};
    JsonReader fields(json, JsonForm::object);
    describe(fields, record);
    return record;
}

}  // namespace groma
