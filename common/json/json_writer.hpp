// Writes records as JSON, by their descriptions (json_record.hpp).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/ids.hpp"
#include "common/base/token.hpp"
#include "common/base/units.hpp"
#include "common/json/json_bounds.hpp"
#include "common/json/json_text.hpp"
#include "common/time/instant.hpp"

namespace groma {

class JsonWriter {
public:
    static constexpr bool kReads = false;

    explicit JsonWriter(JsonForm form);

    template <typename Value, typename... Bounds>
    void operator()(std::string_view name, const Value& value, const Bounds&... bounds) {
        put(name, json_of(value, bounds...), true);
    }
    template <typename Value, typename... Bounds>
    void operator()(std::string_view name, const std::optional<Value>& value, const Bounds&... bounds) {
        if (value) {
            put(name, json_of(*value, bounds...), true);
        }
    }

    /// A field that is absent when it has this value.
    template <typename Value, typename... Bounds>
    void unless(const std::type_identity_t<Value>& absent, std::string_view name, const Value& value,
                const Bounds&... bounds) {
        if (form_ == JsonForm::row or value != absent) {
            put(name, json_of(value, bounds...), value != absent);
        }
    }

    /// A list of records as rows.
    template <typename Record>
    void rows(std::string_view name, const std::vector<Record>& records, Most most) {
        put_list(name, records, most, JsonForm::row, [](auto& fields, auto& record) { describe(fields, record); });
    }

    /// The same; absent when there is none.
    template <typename Record>
    void rows_if_any(std::string_view name, const std::vector<Record>& records, Most most) {
        if (not records.empty()) {
            rows(name, records, most);
        }
    }

    /// A record, and a list of records, that `describe_it`, a function like describe(), describes.
    template <typename Record, typename Describe>
    void part(std::string_view name, const Record& record, Describe describe_it) {
        JsonWriter fields(JsonForm::object);
        describe_it(fields, record);
        put(name, fields.take(), true);
    }
    template <typename Record, typename Describe>
    void each(std::string_view name, const std::vector<Record>& records, Most most, Describe describe_one) {
        put_list(name, records, most, JsonForm::object, describe_one);
    }

    /// A value with a text of its own: to_string() writes it, `from` reads it.
    template <typename Value, typename From>
    void as(std::string_view name, const Value& value, From /*from*/) {
        put(name, to_string(value), true);
    }
    template <typename Value, typename From>
    void as_unless(const std::type_identity_t<Value>& absent, std::string_view name, const Value& value, From from) {
        if (value == absent) {
            return;
        }
        if constexpr (requires { value.has_value(); }) {
            as(name, *value, from);
        } else {
            as(name, value, from);
        }
    }

    /// Whether there is such a part, which has fields of these names in this object.
    template <typename Value>
    [[nodiscard]] static bool has_part(const std::optional<Value>& part,
                                       std::initializer_list<std::string_view> /*names*/) {
        return part.has_value();
    }

    /// One of several records, whose name, in the order of the alternatives, stands in the field `tag`.
    template <typename... Records>
    void one_of(std::string_view tag, const std::variant<Records...>& record, JsonNames names) {
        put(tag, names[record.index()], true);
        std::visit([this](const auto& alternative) { describe(*this, alternative); }, record);
    }

    /// What else a reader has to do with a field.
    template <typename Read>
    void when_read(std::string_view /*name*/, Read /*read*/) {}

    void require(bool /*holds*/, const char* /*rule*/) {}

    [[nodiscard]] bool is_row() const { return form_ == JsonForm::row; }

    [[nodiscard]] nlohmann::json take();

    template <typename Record>
    [[nodiscard]] static nlohmann::json written(const Record& record, JsonForm form = JsonForm::object) {
        JsonWriter fields(form);
        describe(fields, record);
        return fields.take();
    }

private:
    template <typename Value, typename... Bounds>
    [[nodiscard]] static nlohmann::json json_of(const Value& value, const Bounds&... /*bounds*/) {
        if constexpr (std::is_arithmetic_v<Value>) {
            return value;
        } else if constexpr (std::is_enum_v<Value>) {
            return static_cast<std::uint64_t>(value);
        } else if constexpr (std::same_as<Value, Nanos>) {
            return value.count();
        } else if constexpr (std::same_as<Value, WallTime>) {
            return ns_since_epoch(value);
        } else if constexpr (std::same_as<Value, FlowId>) {
            return value.value;
        } else if constexpr (std::same_as<Value, Bytes>) {
            return value.count;
        } else if constexpr (std::same_as<Value, Token>) {
            return to_hex(value);
        } else {
            return written(value);
        }
    }
    [[nodiscard]] static nlohmann::json json_of(const std::string& text, const CutTo& cut) {
        return cut_text(text, cut.bytes);
    }
    [[nodiscard]] static nlohmann::json json_of(const std::string& text, const UpTo& /*most*/) { return text; }
    template <typename Value, typename... Bounds>
    [[nodiscard]] static nlohmann::json json_of(const std::vector<Value>& list, const Most& /*most*/,
                                                const Bounds&... bounds) {
        return json_of(list, FirstOf{list.size()}, bounds...);
    }
    template <typename Value, typename... Bounds>
    [[nodiscard]] static nlohmann::json json_of(const std::vector<Value>& list, const FirstOf& first,
                                                const Bounds&... bounds) {
        auto array = nlohmann::json::array();
        for (const Value& value : std::span(list).first(std::min(list.size(), first.elements))) {
            array.push_back(json_of(value, bounds...));
        }
        return array;
    }
    template <typename Value>
    [[nodiscard]] static nlohmann::json json_of(const std::pair<std::string, Value>& named, const CutTo& cut) {
        return {{"name", cut_text(named.first, cut.bytes)}, {"value", json_of(named.second)}};
    }
    template <typename... Bounds>
    [[nodiscard]] static nlohmann::json json_of(const std::map<std::string, std::string>& texts, const Most& /*most*/,
                                                const CutTo& names, const CutTo& values) {
        auto object = nlohmann::json::object();
        for (const auto& [name, value] : texts) {
            object[std::string(cut_text(name, names.bytes))] = cut_text(value, values.bytes);
        }
        return object;
    }

    template <typename Record, typename Describe>
    void put_list(std::string_view name, const std::vector<Record>& records, Most /*most*/, JsonForm form,
                  Describe describe_one) {
        auto list = nlohmann::json::array();
        for (const Record& record : records) {
            JsonWriter fields(form);
            describe_one(fields, record);
            list.push_back(fields.take());
        }
        put(name, std::move(list), true);
    }

    void put(std::string_view name, nlohmann::json value, bool needed);

    JsonForm form_;
    nlohmann::json json_;
    std::size_t needed_ = 0;  ///< values of a row up to the last that is needed
};

}  // namespace groma
