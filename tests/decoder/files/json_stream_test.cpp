#include "decoder/files/json_stream.hpp"

#include <gtest/gtest.h>

#include "common/json/json_text.hpp"

namespace groma {
namespace {

TEST(JsonStream, WritesWhatTheWholeTextWouldBe) {
    const Json row{{"a", 1}, {"list", {1, {{"b", nullptr}}, Json::array(), Json::object()}}, {"text", "x\n{\"\x7f\n"}};
    const Json whole{{"first", row},
                     {"rows", {row, row, 5}},
                     {"none", Json::array()},
                     {"empty", Json::object()},
                     {"na\nme", {{row}}}};
    std::string text;
    JsonStream json([&text](std::string_view piece) { text += piece; });
    json.begin_object();
    json.members({{"first", row}});
    json.key("rows");
    json.begin_array();
    for (const Json& item : whole["rows"]) {
        json.value(item);
    }
    json.end();
    json.key("none");
    json.begin_array();
    json.end();
    json.key("empty");
    json.begin_object();
    json.end();
    json.key("na\nme");
    json.begin_array();
    json.begin_array();
    json.begin_object();
    json.members(row);
    json.end();
    json.end();
    json.end();
    json.end();
    EXPECT_EQ(text, json_text(whole, 1));
}

}  // namespace
}  // namespace groma
