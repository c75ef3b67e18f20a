#include "common/model/flow/flow_keys.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <limits>
#include <set>
#include <string>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "common/model/flow/flow_json.hpp"
#include "tests/files.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

const FlowKeyRow& key_named(std::string_view name) {
    return *std::ranges::find(flow_keys(), name, &FlowKeyRow::key);
}

FlowDraft draft_with(std::string_view name, const Setting& setting) {
    FlowDraft draft;
    key_named(name).set(draft, setting, {.hosts = {}, .files = {}});
    return draft;
}

std::string refusal_of_value(std::string_view name, Setting::Kind kind, const std::string& text) {
    try {
        static_cast<void>(draft_with(name, {kind, text, {}, {}}));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(FlowKeys, HaveNamesOfTheirOwn) {
    std::set<std::string_view> names;
    std::set<std::string_view> options;
    for (const FlowKeyRow& each : flow_keys()) {
        EXPECT_TRUE(names.insert(each.key).second) << each.key;
        EXPECT_TRUE(each.option.empty() or options.insert(each.option).second) << each.option;
        EXPECT_EQ(each.option.empty(), each.help.empty()) << each.key;
    }
}

TEST(FlowKeys, AreInTheReference) {
    const std::string page = content_of(GROMA_TEST_DATA "/../docs/reference/experiment-file.md");
    for (const FlowKeyRow& each : flow_keys()) {
        EXPECT_THAT(page, testing::AnyOf(HasSubstr("\n| `" + std::string(each.key) + "`"),
                                         HasSubstr(", `" + std::string(each.key) + "` |")));
    }
}

TEST(FlowKeys, AreReadAfterWhatTheyOverride) {
    const auto place = [](std::string_view name) {
        return std::ranges::find(flow_keys_by_turn(), name, &FlowKeyRow::key) - flow_keys_by_turn().begin();
    };
    for (const char* overrides : {"transport", "idt", "size"}) {
        EXPECT_LT(place("profile"), place(overrides));
    }
    EXPECT_LT(place("idt"), place("rate"));
    EXPECT_EQ(flow_keys_by_turn().size(), flow_keys().size());
}

TEST(FlowKeys, AreCalledInABatchAsOnTheCommandLine) {
    EXPECT_EQ(name_in_batch(key_named("count")), "flows");
    EXPECT_EQ(name_in_batch(key_named("idt")), "idt");
    EXPECT_EQ(name_in_batch(key_named("rate")), "rate");
}

TEST(FlowKeys, AreWrittenToMessagesWithTheTextThatSetsThem) {
    const std::pair<std::string_view, std::string> texts[] = {{"meter", "round-trip"}, {"lateness", "shift"}};
    for (const auto& [name, text] : texts) {
        const FlowSpec spec = draft_with(name, {Setting::Kind::text, text, {}, {}}).spec;
        EXPECT_NE(spec, FlowSpec{}) << name;
        EXPECT_EQ(key_named(name).get(spec), text);
        EXPECT_EQ(to_json(spec).at(std::string(name)), text);
    }
    for (const FlowKeyRow& each : flow_keys()) {
        if (each.get != nullptr) {
            EXPECT_EQ(each.get(FlowSpec{}), std::nullopt) << each.key;
            EXPECT_FALSE(to_json(FlowSpec{}).contains(std::string(each.key)));
        }
    }
}

TEST(FlowKeys, TakeTheNumbersOfAFileWithoutQuotesAndThoseOfACommandLineAsTheyAre) {
    EXPECT_EQ(draft_with("port", {Setting::Kind::integer, "7", {}, {}}).spec.target.data_port, 7);
    EXPECT_EQ(draft_with("generator", {Setting::Kind::integer, "1", {}, {}}).spec.generator, Generator::unit_32);
    EXPECT_EQ(draft_with("port", {Setting::Kind::word, "7", {}, {}}).spec.target.data_port, 7);
    EXPECT_EQ(refusal_of_value("port", Setting::Kind::text, "7"),
              "must be a whole number from 1 to 65535, without quotes");
    EXPECT_EQ(refusal_of_value("port", Setting::Kind::word, "x"), "'x' is not a whole number from 1 to 65535");
}

TEST(FlowKeys, TakeAsManyPacketsOfACommandLineAsThereCanBe) {
    const std::string most = std::to_string(std::numeric_limits<std::uint64_t>::max());
    EXPECT_EQ(draft_with("packets", {Setting::Kind::word, most, {}, {}}).spec.stop.packets,
              std::numeric_limits<std::uint64_t>::max());
    EXPECT_THAT(refusal_of_value("packets", Setting::Kind::integer, most), HasSubstr("to 9223372036854775807"));
}

}  // namespace
}  // namespace groma
