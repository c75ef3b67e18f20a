// Reads records from JSON, by their descriptions (json_record.hpp).
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/base/errors.hpp"
#include "common/base/ids.hpp"
#include "common/base/token.hpp"
#include "common/base/units.hpp"
#include "common/json/json_bounds.hpp"
#include "common/json/json_place.hpp"
#include "common/time/instant.hpp"

namespace groma {

class JsonReader {
public:
    static constexpr bool kReads = true;

    /// Throws: UsageError when `json`, which outlives the reader, has another form.
    JsonReader(const nlohmann::json& json, JsonForm form, const JsonPlace& place = {});

    template <typename Value, typename... Bounds>
    void operator()(std::string_view name, Value& value, const Bounds&... bounds) {
        read(needed(name), value, {&place_, name}, bounds...);
    }
    template <typename Value, typename... Bounds>
    void operator()(std::string_view name, std::optional<Value>& value, const Bounds&... bounds) {
        value.reset();
        if (const nlohmann::json* const found = find(name)) {
            read(*found, value.emplace(), {&place_, name}, bounds...);
        }
    }

    template <typename Value, typename... Bounds>
    void unless(const std::type_identity_t<Value>& absent, std::string_view name, Value& value,
                const Bounds&... bounds) {
        value = absent;
        if (const nlohmann::json* const found = find(name)) {
            read(*found, value, {&place_, name}, bounds...);
        }
    }

    template <typename Record>
    void rows(std::string_view name, std::vector<Record>& records, Most most) {
        read_records(name, records, most, JsonForm::row, [](auto& fields, auto& record) { describe(fields, record); });
    }
    template <typename Record, typename Describe>
    void part(std::string_view name, Record& record, Describe describe_it) {
        JsonReader fields(needed(name), JsonForm::object, {&place_, name});
        describe_it(fields, record);
    }
    template <typename Record, typename Describe>
    void each(std::string_view name, std::vector<Record>& records, Most most, Describe describe_one) {
        read_records(name, records, most, JsonForm::object, describe_one);
    }

    template <typename Record>
    void rows_if_any(std::string_view name, std::vector<Record>& records, Most most) {
        records.clear();
        if (json_.contains(name)) {
            rows(name, records, most);
            if (records.empty()) {
                refuse({&place_, name}, "absent, not empty");
            }
        }
    }

    /// A UsageError of `from` is told with the place.
    template <typename Value, typename From>
    void as(std::string_view name, Value& value, From from) {
        std::string text;
        read(needed(name), text, {&place_, name}, UpTo{kLongestWord});
        when_read(name, [&] { value = from(text); });
    }
    template <typename Value, typename From>
    void as_unless(const std::type_identity_t<Value>& absent, std::string_view name, Value& value, From from) {
        value = absent;
        if (json_.contains(name)) {
            as(name, value, from);
        }
    }

    template <typename Value>
    [[nodiscard]] bool has_part(std::optional<Value>& part, std::initializer_list<std::string_view> names) const {
        part.reset();
        if (std::ranges::any_of(names, [this](std::string_view name) { return json_.contains(name); })) {
            part.emplace();
        }
        return part.has_value();
    }

    template <typename... Records>
    void one_of(std::string_view tag, std::variant<Records...>& record, JsonNames names) {
        emplace(record, index_of(tag, names), std::index_sequence_for<Records...>());
        std::visit([this](auto& alternative) { describe(*this, alternative); }, record);
    }

    /// Of the name in the field `tag`.
    [[nodiscard]] std::size_t index_of(std::string_view tag, JsonNames names);

    template <typename Read>
    void when_read(std::string_view name, Read read_it) {
        try {
            read_it();
        } catch (const UsageError& error) {
            throw UsageError("'" + std::string(name) + "': " + error.what() + JsonPlace{&place_, name}.where());
        }
    }

    void require(bool holds, std::string_view rule) const;

    [[nodiscard]] bool is_row() const { return form_ == JsonForm::row; }

private:
    static constexpr std::size_t kLongestWord = 4096;

    template <typename Value, typename... Bounds>
    static void read(const nlohmann::json& json, Value& value, const JsonPlace& place, const Bounds&... bounds) {
        if constexpr (std::same_as<Value, bool>) {
            value = flag(json, place);
        } else if constexpr (std::floating_point<Value>) {
            value = real(json, place);
        } else if constexpr (std::same_as<Value, Nanos>) {
            value = Nanos(number<std::int64_t>(json, place, bounds...));
        } else if constexpr (std::same_as<Value, WallTime>) {
            value = wall_time_from_ns(number<std::int64_t>(json, place, bounds...));
        } else if constexpr (std::same_as<Value, FlowId>) {
            value = FlowId{number<std::uint32_t>(json, place, bounds...)};
        } else if constexpr (std::same_as<Value, Bytes>) {
            value = Bytes{number<std::uint64_t>(json, place, bounds...)};
        } else if constexpr (std::same_as<Value, Token>) {
            value = token(json, place);
        } else if constexpr (std::integral<Value>) {
            value = number<Value>(json, place, bounds...);
        } else if constexpr (std::is_enum_v<Value>) {
            value = enumerator(json, place, bounds...);
        } else {
            JsonReader fields(json, JsonForm::object, place);
            describe(fields, value);
        }
    }
    template <typename Bound>
    static void read(const nlohmann::json& json, std::string& text, const JsonPlace& place, const Bound& most) {
        text = text_of(json, place, most.bytes);
    }
    template <typename Value, typename... Bounds>
    static void read(const nlohmann::json& json, std::vector<Value>& list, const JsonPlace& place, const Most& most,
                     const Bounds&... bounds) {
        read_list(json, list, place, most, [&bounds...](const nlohmann::json& one, Value& value, const JsonPlace& at) {
            read(one, value, at, bounds...);
        });
    }
    template <typename Value, typename... Bounds>
    static void read(const nlohmann::json& json, std::vector<Value>& list, const JsonPlace& place, const FirstOf& first,
                     const Bounds&... bounds) {
        read(json, list, place, Most{first.elements}, bounds...);
    }
    template <typename Value>
    static void read(const nlohmann::json& json, std::pair<std::string, Value>& named, const JsonPlace& place,
                     const CutTo& cut) {
        JsonReader fields(json, JsonForm::object, place);
        fields("name", named.first, cut);
        fields("value", named.second);
    }
    static void read(const nlohmann::json& json, std::map<std::string, std::string>& texts, const JsonPlace& place,
                     const Most& most, const CutTo& names, const CutTo& values);

    template <typename Variant, std::size_t... Index>
    static void emplace(Variant& record, std::size_t index, std::index_sequence<Index...> /*all*/) {
        static_cast<void>(((Index == index and (record.template emplace<Index>(), true)) or ...));
    }

    template <typename Record, typename Describe>
    void read_records(std::string_view name, std::vector<Record>& records, Most most, JsonForm form,
                      Describe describe_one) {
        read_list(needed(name), records, {&place_, name}, most,
                  [&](const nlohmann::json& json, Record& record, const JsonPlace& place) {
                      JsonReader fields(json, form, place);
                      describe_one(fields, record);
                  });
    }

    template <typename Value, typename Read>
    static void read_list(const nlohmann::json& json, std::vector<Value>& list, JsonPlace place, Most most,
                          Read read_one) {
        expect_array(json, place, most.elements);
        list.clear();
        list.reserve(json.size());
        for (place.index = 0; place.index < json.size(); ++place.index) {
            read_one(json[place.index], list.emplace_back(), place);
        }
    }

    template <typename Number>
    static Number number(const nlohmann::json& json, const JsonPlace& place,
                         Within<std::type_identity_t<Number>> bounds = {std::numeric_limits<Number>::min(),
                                                                        std::numeric_limits<Number>::max()}) {
        if constexpr (std::unsigned_integral<Number>) {
            return static_cast<Number>(whole_number(json, place, bounds.lowest, bounds.highest));
        } else {
            return static_cast<Number>(signed_number(json, place, bounds.lowest, bounds.highest));
        }
    }
    template <typename Enum>
    static Enum enumerator(const nlohmann::json& json, const JsonPlace& place, Within<Enum> bounds) {
        return static_cast<Enum>(whole_number(json, place, static_cast<std::uint64_t>(bounds.lowest),
                                              static_cast<std::uint64_t>(bounds.highest)));
    }

    [[nodiscard]] static bool flag(const nlohmann::json& json, const JsonPlace& place);
    [[nodiscard]] static double real(const nlohmann::json& json, const JsonPlace& place);  ///< any but NaN
    [[nodiscard]] static std::string text_of(const nlohmann::json& json, const JsonPlace& place, std::size_t longest);
    [[nodiscard]] static Token token(const nlohmann::json& json, const JsonPlace& place);
    [[nodiscard]] static std::uint64_t whole_number(const nlohmann::json& json, const JsonPlace& place,
                                                    std::uint64_t lowest, std::uint64_t highest);
    [[nodiscard]] static std::int64_t signed_number(const nlohmann::json& json, const JsonPlace& place,
                                                    std::int64_t lowest, std::int64_t highest);
    static void expect_array(const nlohmann::json& json, const JsonPlace& place, std::size_t most);
    [[noreturn]] static void refuse(const JsonPlace& place, const std::string& rule);

    [[nodiscard]] const nlohmann::json* find(std::string_view name);
    [[nodiscard]] const nlohmann::json& needed(std::string_view name);

    const nlohmann::json& json_;
    JsonForm form_;
    JsonPlace place_;
    std::size_t next_ = 0;  ///< of a row
};

}  // namespace groma
