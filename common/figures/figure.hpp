// Describes a figure once: its name, its meaning, and its place in a record. Tables, columns and fields of all outputs
// are made from this.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "common/time/instant.hpp"

namespace groma {

/// Empty: unknown, or not applicable.
using FigureValue = std::variant<std::monostate, std::int64_t, std::uint64_t, double, bool, std::string>;

enum class FigureType : std::uint8_t { integer, real, flag, text };

/// What describes a figure without a record. The name ends with the unit, if there is one: "delay_p99_ns".
struct FigureHead {
    std::string name;
    FigureType type = FigureType::real;
    std::string meaning;
};

template <typename Record>
struct Figure : FigureHead {
    std::function<FigureValue(const Record&)> of;
};

template <typename Value>
[[nodiscard]] FigureValue figure_value(const Value& value) {
    if constexpr (std::same_as<Value, bool> or std::same_as<Value, FigureValue>) {
        return value;
    } else if constexpr (std::floating_point<Value>) {
        return double{value};
    } else if constexpr (std::unsigned_integral<Value>) {
        return std::uint64_t{value};
    } else if constexpr (std::signed_integral<Value>) {
        return std::int64_t{value};
    } else if constexpr (std::same_as<Value, Nanos>) {
        return std::int64_t{value.count()};
    } else if constexpr (std::same_as<Value, WallTime>) {
        return ns_since_epoch(value);
    } else {
        return std::string(value);
    }
}
template <typename Value>
[[nodiscard]] FigureValue figure_value(const std::optional<Value>& value) {
    return value ? figure_value(*value) : FigureValue();
}

/// Empty if it is unknown or not a number.
[[nodiscard]] inline std::optional<double> number_of(const FigureValue& value) {
    return std::visit(
        [](const auto& known) -> std::optional<double> {
            if constexpr (std::is_arithmetic_v<std::remove_cvref_t<decltype(known)>>) {
                return static_cast<double>(known);
            } else {
                return std::nullopt;
            }
        },
        value);
}

namespace detail {

template <typename Value>
struct WhenKnown {
    using Type = Value;
};
template <typename Value>
struct WhenKnown<std::optional<Value>> {
    using Type = Value;
};

}  // namespace detail

/// The value type of an optional; any other type itself.
template <typename Value>
using WhenKnown = typename detail::WhenKnown<std::remove_cvref_t<Value>>::Type;

template <typename Value>
[[nodiscard]] constexpr FigureType figure_type() {
    using Known = WhenKnown<Value>;
    if constexpr (std::same_as<Known, bool>) {
        return FigureType::flag;
    } else if constexpr (std::floating_point<Known>) {
        return FigureType::real;
    } else if constexpr (std::integral<Known> or std::same_as<Known, Nanos> or std::same_as<Known, WallTime>) {
        return FigureType::integer;
    } else {
        return FigureType::text;
    }
}

/// The figures of a kind of record, in output order.
template <typename Record>
class FigureTable {
public:
    /// `get`: a member, or a function of a record; its value may be optional.
    template <typename Get>
    FigureTable& add(std::string name, std::string meaning, Get get) {
        using Value = std::remove_cvref_t<std::invoke_result_t<Get, const Record&>>;
        figures_.push_back({{std::move(name), figure_type<Value>(), std::move(meaning)},
                            [get](const Record& record) { return figure_value(std::invoke(get, record)); }});
        return *this;
    }

    FigureTable& add(Figure<Record> figure) {
        figures_.push_back(std::move(figure));
        return *this;
    }

    /// Adds all figures of another table with `prefix` before their names. `get` returns a pointer or an optional,
    /// which may be empty.
    template <typename Part, typename Get>
    FigureTable& add_all(const FigureTable<Part>& part, Get get, std::string_view prefix = {}) {
        for (const Figure<Part>& figure : part) {
            add(Figure<Record>{{std::string(prefix) + figure.name, figure.type, figure.meaning},
                               [get, of = figure.of](const Record& record) {
                                   const auto& found = std::invoke(get, record);
                                   return found ? of(*found) : FigureValue();
                               }});
        }
        return *this;
    }

    /// Null if there is no figure of this name.
    [[nodiscard]] const Figure<Record>* find(std::string_view name) const {
        const auto found = std::ranges::find(figures_, name, &Figure<Record>::name);
        return found == figures_.end() ? nullptr : &*found;
    }

    [[nodiscard]] auto begin() const { return figures_.begin(); }
    [[nodiscard]] auto end() const { return figures_.end(); }

private:
    std::vector<Figure<Record>> figures_;
};

}  // namespace groma
