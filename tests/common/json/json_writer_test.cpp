#include "common/json/json_writer.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

using nlohmann::json;

TEST(JsonWriter, ARowKeepsDefaultsBeforeTheLastValueThatIsNeeded) {
    JsonWriter middle(JsonForm::row);
    middle("number", 7);
    middle.unless(0, "rest", 0);
    middle.unless(0, "more", 3);
    middle.unless(0, "most", 0);
    EXPECT_EQ(middle.take(), json::array({7, 0, 3}));
    JsonWriter none(JsonForm::row);
    none.unless(0, "rest", 0);
    EXPECT_EQ(none.take(), json::array());
}

TEST(JsonWriter, AnObjectLeavesOutDefaultsAndWhatIsNotThere) {
    JsonWriter fields(JsonForm::object);
    fields("needed", 0);
    fields.unless(0, "default", 0);
    fields("absent", std::optional<int>());
    fields("there", std::optional<int>(0));
    EXPECT_EQ(fields.take(), json({{"needed", 0}, {"there", 0}}));
    EXPECT_EQ(JsonWriter(JsonForm::object).take(), json::object());
}

TEST(JsonWriter, CutsATextOnlyWhereItMayBeCut) {
    JsonWriter fields(JsonForm::object);
    fields("cut", std::string("a long text"), CutTo{6});
    fields("uncut", std::string("a long text"), UpTo{6});
    fields("first", std::vector<std::string>{"one", "two", "three"}, FirstOf{2}, CutTo{2});
    fields("all", std::vector<int>{1, 2, 3}, Most{2});
    EXPECT_EQ(fields.take(),
              json({{"cut", "a long"}, {"uncut", "a long text"}, {"first", {"on", "tw"}}, {"all", {1, 2, 3}}}));
}

TEST(JsonWriter, WritesUnitsAsTheirNumbers) {
    JsonWriter fields(JsonForm::object);
    fields("span", Nanos(-5));
    fields("time", wall_time_from_ns(1'000'000'007));
    fields("flow", FlowId{3});
    fields("size", Bytes{64});
    fields("token", token_from_hex("00112233445566778899aabbccddeeff"));
    EXPECT_EQ(fields.take(), json({{"span", -5},
                                   {"time", 1'000'000'007},
                                   {"flow", 3},
                                   {"size", 64},
                                   {"token", "00112233445566778899aabbccddeeff"}}));
}

}  // namespace
}  // namespace groma
