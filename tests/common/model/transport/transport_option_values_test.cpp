#include "common/model/transport/transport_option_values.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

/// The value of `parse` for the text; empty if it is refused.
template <typename Parse>
auto accepted(Parse parse, std::string_view text) -> std::optional<decltype(parse(text))> {
    try {
        return parse(text);
    } catch (const UsageError&) {
        return std::nullopt;
    }
}

TEST(TransportOptionValues, NumbersAreThoseFromTheLeastToTheMost) {
    const auto parse = [](std::string_view text) { return option_value::number(text, 16, 4'294'967'295U); };
    EXPECT_EQ(accepted(parse, "16"), 16U);
    EXPECT_EQ(accepted(parse, "4294967295"), 4'294'967'295U);
    EXPECT_EQ(accepted(parse, "0x10"), 16U);
    EXPECT_EQ(accepted(parse, "0xFFffFFff"), 4'294'967'295U);
    for (const std::string_view text : {"15", "0xf", "4294967296", "0x100000000", "", "0x", "0X10", "+16", " 16",
                                        "16.0", "10000000000000000000016"}) {
        EXPECT_EQ(accepted(parse, text), std::nullopt) << text;
    }
}

TEST(TransportOptionValues, NamesAreShortAndPrintable) {
    for (const std::string& text : {std::string("!"), std::string("~"), std::string(64, 'a')}) {
        EXPECT_EQ(accepted(option_value::name, text), text);
    }
    for (const std::string& text :
         {std::string(), std::string(65, 'a'), std::string("a b"), std::string("\x7f"), std::string("\xc3\xa4")}) {
        EXPECT_EQ(accepted(option_value::name, text), std::nullopt) << text;
    }
}

TEST(TransportOptionValues, SizesAndTimesHaveBoundsThatBelongToThem) {
    EXPECT_EQ(accepted(option_value::buffer, "1"), Bytes{1});
    EXPECT_EQ(accepted(option_value::buffer, "1GiB"), Bytes{1U << 30U});
    EXPECT_EQ(accepted(option_value::buffer, "0"), std::nullopt);
    EXPECT_EQ(accepted(option_value::buffer, "1073741825"), std::nullopt);
    EXPECT_EQ(accepted(option_value::lifetime, "1ms"), 1ms);
    EXPECT_EQ(accepted(option_value::lifetime, "1h"), 1h);
    EXPECT_EQ(accepted(option_value::lifetime, "999999ns"), std::nullopt);
    EXPECT_EQ(accepted(option_value::lifetime, "3600001ms"), std::nullopt);
    EXPECT_EQ(accepted(option_value::state_interval, "0"), 0ns);
    EXPECT_EQ(accepted(option_value::state_interval, "1ms"), 1ms);
    EXPECT_EQ(accepted(option_value::state_interval, "1h"), 1h);
    EXPECT_EQ(accepted(option_value::state_interval, "999999ns"), std::nullopt);
    EXPECT_EQ(accepted(option_value::state_interval, "3600001ms"), std::nullopt);
}

TEST(TransportOptionValues, ADepartureIsHandedOverSomeTimeAheadOrNotAtAll) {
    const std::pair<std::string_view, Nanos> leads[] = {
        {"user", 0ns}, {"kernel", 2ms}, {"kernel:200us", 200us}, {"kernel:1s", 1s}};
    for (const auto& [text, lead] : leads) {
        EXPECT_EQ(accepted(option_value::departure_lead, text), lead) << text;
        TransportOptions options;
        options.departure_lead = lead;
        EXPECT_EQ(option_value::lead_to_string(options), std::string(text));
    }
    EXPECT_EQ(option_value::lead_to_string({}), std::nullopt);
    for (const std::string_view text : {"kernel:199999ns", "kernel:1000001us", "kernel:", "kernel:0s", "2ms", ""}) {
        EXPECT_EQ(accepted(option_value::departure_lead, text), std::nullopt) << text;
    }
}

TEST(TransportOptionValues, AreReadBackToTheSameAndSayNothingOfWhatWasNotAskedFor) {
    for (const StampSource source : {StampSource::user, StampSource::kernel, StampSource::hardware}) {
        const auto text = option_value::text_of(std::optional(source));
        EXPECT_EQ(accepted(option_value::stamp_source, text.value()), source) << *text;
    }
    for (const Segmentation segmentation : {Segmentation::automatic, Segmentation::off}) {
        const auto text = option_value::text_of(std::optional(segmentation));
        EXPECT_EQ(accepted(option_value::segmentation, text.value()), segmentation) << *text;
    }
    for (const bool on : {false, true}) {
        const auto text = option_value::text_of(std::optional(on));
        EXPECT_EQ(accepted(option_value::on_or_off, text.value()), on) << *text;
    }
    EXPECT_EQ(option_value::text_of(std::optional<std::uint32_t>(0)), "0");
    EXPECT_EQ(option_value::text_of(std::optional<bool>()), std::nullopt);
    EXPECT_EQ(option_value::text_of(std::optional<std::uint32_t>()), std::nullopt);
    EXPECT_EQ(option_value::text_of(std::string()), std::nullopt);
}

}  // namespace
}  // namespace groma
