// Implements the rules of a family's parameters, unless the family has its own members (family.hpp). For sources.
#pragma once

#include <algorithm>
#include <cctype>

#include "common/model/families/family_text.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

template <typename Family>
[[nodiscard]] std::string error_of(const Family& family) {
    if constexpr (requires { Family::kParameters; }) {
        for (const auto& parameter : Family::kParameters) {
            if (std::string error = parameter.kind.error(parameter.label, family.*parameter.member);
                not error.empty()) {
                return error;
            }
        }
    }
    if constexpr (requires { family.error(); }) {
        return family.error();
    } else {
        return {};
    }
}

template <typename Family>
[[nodiscard]] std::string text_of(const Family& family, DrawnKind kind) {
    if constexpr (requires { family.to_string(kind); }) {
        return family.to_string(kind);
    } else {
        std::string text(Family::kName);
        for (const auto& parameter : Family::kParameters) {
            const double value = family.*parameter.member;
            const ParameterUnit unit = parameter.kind.unit;
            text += ':';
            text += unit == ParameterUnit::number  ? number_to_string(value)
                    : unit == ParameterUnit::value ? value_to_string(value, kind)
                                                   : value_or_rate_to_string(value, kind);
        }
        return text;
    }
}

/// "two values: normal:MEAN:DEVIATION"
template <typename Family>
[[nodiscard]] std::string form_of() {
    constexpr std::array<std::string_view, 3> kValues{"one value: ", "two values: ", "three values: "};
    std::string form(kValues.at(Family::kParameters.size() - 1));
    form += Family::kName;
    for (const auto& parameter : Family::kParameters) {
        form += ':';
        std::ranges::transform(parameter.name, std::back_inserter(form),
                               [](char c) { return static_cast<char>(std::toupper(c)); });
    }
    return form;
}

/// Throws: UsageError.
template <typename Family>
[[nodiscard]] Family parsed(const FamilyText& source) {
    if constexpr (requires { Family::parse(source); }) {
        return Family::parse(source);
    } else {
        constexpr std::size_t kCount = Family::kParameters.size();
        const auto parts = source.parameters(kCount, kCount, form_of<Family>());
        Family family;
        for (std::size_t i = 0; i < kCount; ++i) {
            const auto& parameter = Family::kParameters[i];
            const ParameterUnit unit = parameter.kind.unit;
            family.*parameter.member = unit == ParameterUnit::number  ? parse_number(parts[i])
                                       : unit == ParameterUnit::value ? source.value(parts[i], kCount == 1)
                                                                      : source.value_or_rate(parts[i], kCount == 1);
        }
        return family;
    }
}

template <typename Family>
[[nodiscard]] std::vector<double> exact_sizes_of(const Family& family) {
    if constexpr (requires { family.exact_sizes(); }) {
        return family.exact_sizes();
    } else {
        return {};
    }
}

template <typename Family>
[[nodiscard]] std::size_t value_bytes_of(const Family& family) {
    if constexpr (requires { family.value_bytes(); }) {
        return family.value_bytes();
    } else {
        return 0;
    }
}

/// X becomes factor * X.
template <typename Family>
[[nodiscard]] Family times(Family family, double factor) {
    if constexpr (requires { family.scaled(factor); }) {
        return family.scaled(factor);
    } else {
        for (const auto& parameter : Family::kParameters) {
            family.*parameter.member *= parameter.kind.unit == ParameterUnit::number ? 1 : factor;
        }
        return family;
    }
}

}  // namespace groma
