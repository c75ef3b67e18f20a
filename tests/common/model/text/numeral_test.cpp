#include "common/model/text/numeral.hpp"

#include <gtest/gtest.h>

#include <array>

#include "common/base/errors.hpp"

namespace groma {
namespace {

constexpr TextUnit kMilli{"ms", 6, 1};
constexpr TextUnit kMinute{"min", 9, 60};

double in_unit(std::string_view text, const TextUnit& unit) {
    return numeral_value(split_numeral(text), unit, text);
}

std::string numeral_error(std::string_view text) {
    try {
        static_cast<void>(in_unit(text, kMilli));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Numeral, IsDigitsAnExponentAndTheRest) {
    const Numeral full = split_numeral("1.5e3ms");
    EXPECT_EQ(full.digits, "1.5");
    EXPECT_EQ(full.exponent, 3);
    EXPECT_EQ(full.rest, "ms");
    const Numeral small = split_numeral("2E-09");
    EXPECT_EQ(small.digits, "2");
    EXPECT_EQ(small.exponent, -9);
    EXPECT_EQ(small.rest, "");
    EXPECT_EQ(split_numeral("7e+2s").exponent, 2);
    EXPECT_EQ(split_numeral(".5s").digits, ".5");
    EXPECT_EQ(split_numeral("5. s").rest, " s");
}

TEST(Numeral, IsTheNearestDoubleAndNotAProductOfRoundedNumbers) {
    EXPECT_EQ(in_unit("4.35us", {"us", 3, 1}), 4350.0);
    EXPECT_EQ(in_unit("0.000001ms", kMilli), 1.0);
    EXPECT_EQ(in_unit("1.5e1min", kMinute), 15 * 60e9);
}

TEST(Numeral, WhatIsNoneIsRefusedWithTheText) {
    EXPECT_EQ(numeral_error("-1ms"), "'-1ms' is negative");
    EXPECT_EQ(numeral_error("ms"), "'ms' is not a number");
    EXPECT_EQ(numeral_error("."), "'.' is not a number");
    EXPECT_EQ(numeral_error(""), "'' is not a number");
    EXPECT_EQ(numeral_error("1e"), "'1e' has a bad exponent");
    EXPECT_EQ(numeral_error("1e+ms"), "'1e+ms' has a bad exponent");
    EXPECT_EQ(numeral_error("1e12345"), "'1e12345' has a bad exponent");
    EXPECT_EQ(numeral_error("1e9999ms"), "'1e9999ms' is too large or too small");
}

TEST(Numeral, AWholeOneIsExactBeyondTheIntegersOfADouble) {
    EXPECT_EQ(whole_numeral_value(split_numeral("9007199254740993"), {"", 0, 1}), 9007199254740993);
    EXPECT_EQ(whole_numeral_value(split_numeral("3ms"), kMilli), 3'000'000);
    EXPECT_EQ(whole_numeral_value(split_numeral("2min"), kMinute), 120'000'000'000);
    EXPECT_EQ(whole_numeral_value(split_numeral("1.0ms"), kMilli), std::nullopt);
    EXPECT_EQ(whole_numeral_value(split_numeral("1e3ms"), kMilli), std::nullopt);
}

TEST(Numeral, AWholeOneIsAtMostTwoToThe62) {
    EXPECT_EQ(whole_numeral_value(split_numeral("4611686018427387904"), {"", 0, 1}), std::int64_t{1} << 62);
    EXPECT_EQ(whole_numeral_value(split_numeral("4611686018427387905"), {"", 0, 1}), std::nullopt);
    EXPECT_EQ(whole_numeral_value(split_numeral("4611686018428ms"), kMilli), std::nullopt);
    EXPECT_EQ(whole_numeral_value(split_numeral("99999999999999999999"), {"", 0, 1}), std::nullopt);
}

TEST(Numeral, AUnitIsFoundByItsWholeSuffix) {
    constexpr std::array kUnits{kMilli, kMinute};
    EXPECT_EQ(find_unit(kUnits, "min"), &kUnits[1]);
    EXPECT_EQ(find_unit(kUnits, "m"), nullptr);
    EXPECT_EQ(find_unit(kUnits, "MS"), nullptr);
    EXPECT_EQ(find_unit({}, "ms"), nullptr);
}

}  // namespace
}  // namespace groma
