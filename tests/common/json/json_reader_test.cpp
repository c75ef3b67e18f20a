#include "common/json/json_reader.hpp"

#include <gtest/gtest.h>

#include <array>
#include <functional>

namespace groma {
namespace {

using nlohmann::json;

/// What reading says, or "accepted".
std::string refusal_of(const json& object, const std::function<void(JsonReader&)>& read) {
    try {
        JsonReader fields(object, JsonForm::object);
        read(fields);
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

template <typename Value>
std::optional<Value> value_in(const json& value) {
    const json object = json::object({{"value", value}});
    try {
        JsonReader fields(object, JsonForm::object);
        Value read{};
        fields("value", read);
        return read;
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

TEST(JsonReader, ReadsIntegersUpToTheLimitsOfTheirTypes) {
    constexpr auto kMost = std::numeric_limits<std::uint64_t>::max();
    constexpr auto kLeastSigned = std::numeric_limits<std::int64_t>::min();
    constexpr auto kMostSigned = std::numeric_limits<std::int64_t>::max();
    EXPECT_EQ(value_in<std::uint64_t>(kMost), kMost);
    EXPECT_EQ(value_in<std::int64_t>(kLeastSigned), kLeastSigned);
    EXPECT_EQ(value_in<std::int64_t>(kMostSigned), kMostSigned);
    EXPECT_EQ(value_in<std::int64_t>(static_cast<std::uint64_t>(kMostSigned) + 1), std::nullopt);
    EXPECT_EQ(value_in<std::uint8_t>(255), 255);
    EXPECT_EQ(value_in<std::uint8_t>(256), std::nullopt);
    EXPECT_EQ(value_in<std::uint8_t>(-1), std::nullopt);
    EXPECT_EQ(value_in<double>(3), 3.0);
    EXPECT_EQ(value_in<double>("3"), std::nullopt);
}

TEST(JsonReader, ARowHasItsValuesInOrderAndMayEndBeforeTheLast) {
    const json row = json::array({7, "seven"});
    JsonReader fields(row, JsonForm::row);
    EXPECT_TRUE(fields.is_row());
    int number = 0;
    std::string word;
    int rest = 0;
    std::optional<int> last = 1;
    fields("number", number);
    fields("word", word, UpTo{10});
    fields.unless(5, "rest", rest);
    fields("last", last);
    EXPECT_EQ(number, 7);
    EXPECT_EQ(word, "seven");
    EXPECT_EQ(rest, 5);
    EXPECT_EQ(last, std::nullopt);
}

TEST(JsonReader, TellsTheErrorOfATextWithItsPlace) {
    const auto never = [](const std::string& text) -> int { throw UsageError("'" + text + "' is no limit"); };
    int limit = 0;
    EXPECT_EQ(refusal_of({{"limit", "much"}}, [&](JsonReader& fields) { fields.as("limit", limit, never); }),
              "'limit': 'much' is no limit");
    EXPECT_EQ(refusal_of({{"in", {{"limit", "much"}}}},
                         [&](JsonReader& fields) {
                             fields.part("in", limit,
                                         [&](JsonReader& part, int& one) { part.as("limit", one, never); });
                         }),
              "'limit': 'much' is no limit (in 'in')");
    EXPECT_EQ(refusal_of(json::object(), [&](JsonReader& fields) { fields.as_unless(3, "limit", limit, never); }),
              "accepted");
    EXPECT_EQ(limit, 3);
}

TEST(JsonReader, RefusesANameThatIsNoneOfTheChoices) {
    constexpr std::array<std::string_view, 2> kNames{"first", "second"};
    std::size_t index = 0;
    const auto read = [&](JsonReader& fields) { index = fields.index_of("kind", kNames); };
    EXPECT_EQ(refusal_of({{"kind", "second"}}, read), "accepted");
    EXPECT_EQ(index, 1U);
    EXPECT_EQ(refusal_of({{"kind", "third"}}, read), "unknown kind 'third'");
    EXPECT_EQ(refusal_of({{"kind", 2}}, read), "'kind' must be a text of at most 4096 bytes");
}

TEST(JsonReader, APartIsThereWhenOneOfItsFieldsIs) {
    const json object = json::object({{"b", 1}});
    const JsonReader fields(object, JsonForm::object);
    std::optional<int> part = 4;
    EXPECT_TRUE(fields.has_part(part, {"a", "b"}));
    EXPECT_EQ(part, 0);
    EXPECT_FALSE(fields.has_part(part, {"a", "c"}));
    EXPECT_EQ(part, std::nullopt);
}

}  // namespace
}  // namespace groma
