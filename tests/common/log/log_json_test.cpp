#include "common/log/log_json.hpp"

#include <gmock/gmock.h>

#include <nlohmann/json.hpp>

#include "common/base/errors.hpp"
#include "common/json/json_record.hpp"
#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

using nlohmann::json;

json parsed(std::string_view text) {
    return parse_log_json(std::as_bytes(std::span(text)));
}

template <typename Parse>
std::string error_of(const json& object, Parse parse) {
    try {
        static_cast<void>(parse(object));
    } catch (const UsageError& error) {
        return error.what();
    }
    return {};
}

/// A missing field is named in the error, and an object is refused for every field, because none is an object.
template <typename Parse>
void expect_every_field_is_checked(const json& whole, Parse parse) {
    for (const auto& [name, value] : whole.items()) {
        json object = whole;
        object[name] = json::object();
        EXPECT_THAT(error_of(object, parse), testing::HasSubstr("'" + name + "'"));
        object.erase(name);
        EXPECT_THAT(error_of(object, parse), testing::HasSubstr("'" + name + "' is missing"));
    }
}

TEST(LogJson, MetadataIsCheckedFieldByField) {
    const json whole = to_json(sample_metadata(LogRole::receiver));
    EXPECT_EQ(from_json<RunMetadata>(whole), sample_metadata(LogRole::receiver));
    expect_every_field_is_checked(whole, from_json<RunMetadata>);
}

TEST(LogJson, KeepsForHowLongTheSenderAwaitedPackets) {
    RunMetadata metadata = sample_metadata(LogRole::sender);
    metadata.wait = std::chrono::seconds(2);
    json object = to_json(metadata);
    EXPECT_EQ(from_json<RunMetadata>(object), metadata);
    object["wait_ns"] = -1;
    EXPECT_THAT(error_of(object, from_json<RunMetadata>), testing::HasSubstr("'wait_ns'"));
}

TEST(LogJson, ProbesAreCheckedFieldByField) {
    const json whole = to_json(sample_probe());
    EXPECT_EQ(from_json<ClockProbe>(whole), sample_probe());
    expect_every_field_is_checked(whole, from_json<ClockProbe>);
}

TEST(LogJson, TotalsAreCheckedFieldByField) {
    const json whole = to_json(sample_totals());
    EXPECT_EQ(from_json<LogTotals>(whole), sample_totals());
    expect_every_field_is_checked(whole, from_json<LogTotals>);
}

TEST(LogJson, TotalsBeyondAllCountsAreRefused) {
    for (const char* const name : {"packets", "bytes", "records", "records_lost"}) {
        json whole = to_json(sample_totals());
        whole["flows"][0][name] = (std::uint64_t{1} << 62U) + 1;
        EXPECT_THAT(error_of(whole, from_json<LogTotals>), testing::HasSubstr(name));
    }
}

TEST(LogJson, AnEventNeedNotBelongToAFlow) {
    LogEvent event = sample_event();
    EXPECT_EQ(from_json<LogEvent>(to_json(event)), event);
    event.flow.reset();
    EXPECT_EQ(from_json<LogEvent>(to_json(event)), event);
}

TEST(LogJson, FieldsOfALaterVersionAreIgnored) {
    json object = to_json(sample_event());
    object["colour"] = "green";
    EXPECT_EQ(from_json<LogEvent>(object), sample_event());
}

TEST(LogJson, AnUnknownRoleIsRefused) {
    json object = to_json(sample_metadata(LogRole::sender));
    object["role"] = "bystander";
    EXPECT_THAT(error_of(object, from_json<RunMetadata>), testing::HasSubstr("'role'"));
}

TEST(LogJson, NegativeCountsAndFractionsAreRefused) {
    json object = to_json(sample_metadata(LogRole::sender));
    object["seed"] = -1;
    EXPECT_THAT(error_of(object, from_json<RunMetadata>), testing::HasSubstr("'seed'"));
    object["seed"] = 1.5;
    EXPECT_THAT(error_of(object, from_json<RunMetadata>), testing::HasSubstr("'seed'"));
}

TEST(LogJson, MoreFlowsThanALogMayHaveAreRefused) {
    json object = to_json(sample_totals());
    object["flows"] = json::array_t(100'001, 0);
    EXPECT_THAT(error_of(object, from_json<LogTotals>), testing::HasSubstr("at most 100000"));
}

TEST(LogJson, DeepNestingIsRefused) {
    EXPECT_THROW(static_cast<void>(parsed(std::string(100, '[') + std::string(100, ']'))), UsageError);
}

TEST(LogJson, TextThatIsNotJsonIsRefused) {
    for (const char* text : {"", "{", "nul", "{}{}", "\"\xff\""}) {
        EXPECT_THROW(static_cast<void>(parsed(text)), UsageError) << text;
    }
}

TEST(LogJson, FiguresOfAFlowMayBeThereAndAreNumbers) {
    LogTotals totals = sample_totals();
    totals.flows[0].figures = {{"sent_pps", 999.5}, {"lambda2", -0.001}};
    json whole = to_json(totals);
    EXPECT_EQ(from_json<LogTotals>(whole), totals);
    EXPECT_FALSE(whole["flows"][1].contains("figures"));
    whole["flows"][0]["figures"][1]["value"] = "much";
    EXPECT_THAT(error_of(whole, from_json<LogTotals>), testing::HasSubstr("'value'"));
    whole["flows"][0]["figures"] = 5;
    EXPECT_THAT(error_of(whole, from_json<LogTotals>), testing::HasSubstr("'figures'"));
}

TEST(LogJson, TheFirstAndTheLastPacketOfAFlowMayBeKnown) {
    LogTotals totals = sample_totals();
    totals.flows[0].first = wall_time_from_ns(5);
    totals.flows[0].last = wall_time_from_ns(9);
    totals.flows[0].first_due = wall_time_from_ns(4);
    totals.flows[0].last_due = wall_time_from_ns(8);
    const json whole = to_json(totals);
    EXPECT_EQ(from_json<LogTotals>(whole), totals);
    EXPECT_FALSE(whole["flows"][1].contains("first_ns"));
}

}  // namespace
}  // namespace groma
