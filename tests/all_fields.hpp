// Visits every field of a report by reflection: finds a new field that was forgotten somewhere.
#pragma once

#include <gtest/gtest.h>

#include <boost/pfr.hpp>
#include <map>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "sender/report/run_report.hpp"

namespace groma {

template <typename T>
struct IsList : std::false_type {};
template <typename T>
struct IsList<std::vector<T>> : std::true_type {};
template <typename T>
struct IsOptional : std::false_type {};
template <typename T>
struct IsOptional<std::optional<T>> : std::true_type {};

/// Values without fields to visit: they are compared directly.
template <typename T>
inline constexpr bool kWhole =
    std::is_same_v<T, FlowSpec> or std::is_same_v<T, std::string> or std::is_same_v<T, FlowId> or
    std::is_same_v<T, ClockHealth> or not std::is_aggregate_v<T>;

inline bool same(const LogHistogram& a, const LogHistogram& b) {
    return a.bins() == b.bins() and a.min() == b.min() and a.max() == b.max();
}
inline bool same(const GapCounts& a, const GapCounts& b) {
    return a.cells() == b.cells() and a.has_model() == b.has_model();
}
template <typename T>
bool same(const T& a, const T& b) {
    return a == b;
}

inline bool unset(const LogHistogram& value) {
    return value.count() == 0;
}
inline bool unset(const GapCounts& value) {
    return value.cells().empty();
}
template <typename T>
bool unset(const T& value) {
    return value == T{};
}

/// Calls visit(place, a, b) for each pair of values in two of the same type.
template <typename T, typename Visit>
void for_each_value(const std::string& place, const T& a, const T& b, const Visit& visit) {
    if constexpr (IsOptional<T>::value) {
        ASSERT_EQ(a.has_value(), b.has_value()) << place;
        ASSERT_TRUE(a) << place << " is not in the sample";
        for_each_value(place, *a, *b, visit);
    } else if constexpr (IsList<T>::value) {
        ASSERT_EQ(a.size(), b.size()) << place;
        ASSERT_FALSE(a.empty()) << place << " is not in the sample";
        for (std::size_t i = 0; i < a.size(); ++i) {
            for_each_value(place + '[' + std::to_string(i) + ']', a[i], b[i], visit);
        }
    } else if constexpr (kWhole<T>) {
        visit(place, a, b);
    } else {
        boost::pfr::for_each_field(a, [&](const auto& field, auto number) {
            for_each_value(place + '.' + std::to_string(number.value), field, boost::pfr::get<number.value>(b), visit);
        });
    }
}

/// Every field of the sample has a value that is not the default, and the other one has the same. Places are numbers of
/// fields.
template <typename T>
void expect_all_fields_carried(const T& sample, const T& carried) {
    for_each_value("", sample, carried, [](const std::string& place, const auto& a, const auto& b) {
        EXPECT_FALSE(unset(a)) << place << " is not in the sample: set it there";
        EXPECT_TRUE(same(a, b)) << place << " was not carried";
    });
}

}  // namespace groma
