#include "common/model/text/quantity_text.hpp"

#include <gtest/gtest.h>

#include <string>

#include "common/base/errors.hpp"
#include "common/model/distributions/distribution_text.hpp"

namespace groma {
namespace {

template <typename Parse>
std::string refusal_of(Parse parse, std::string_view text) {
    try {
        static_cast<void>(parse(text));
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(QuantityText, ATimeWithoutAUnitIsToldSeveral) {
    EXPECT_EQ(refusal_of(parse_duration, "1"), "'1' has no unit: write 1s, 1ms or 1us");
    EXPECT_EQ(refusal_of([](std::string_view text) { return parse_period(text); }, "exp:2"),
              "cannot use 'exp:2' as ON or OFF period: 'exp:2' has no unit: write exp:2s, exp:2ms or exp:2us");
}

TEST(QuantityText, AUnitThatBeginsLikeOthersNamesThem) {
    EXPECT_EQ(refusal_of(parse_bytes, "1k"), "'k' in '1k' is not a unit of bytes: write 1kB or 1KiB");
    EXPECT_EQ(refusal_of(parse_bytes, "2.5mb"), "'mb' in '2.5mb' is not a unit of bytes: write 2.5MB");
    EXPECT_EQ(refusal_of(parse_duration, "5M"), "'M' in '5M' is not a unit of time: write 5ms or 5min");
    EXPECT_EQ(refusal_of([](std::string_view text) { return parse_gap_ns(text); }, "5k"),
              "'k' in '5k' is not a unit of time or rate: write 5kpps");
    EXPECT_EQ(refusal_of(parse_rate, "1e1g"), "'1e1g' is not a rate: write 1e1Gbps");
}

TEST(QuantityText, AUnitThatIsLikeNoneNamesAll) {
    EXPECT_EQ(refusal_of(parse_bytes, "1 kB"), "' kB' in '1 kB' is not a unit of bytes: use B kB MB GB KiB MiB GiB");
    EXPECT_EQ(refusal_of(parse_duration, "1pps"),
              "'pps' in '1pps' is not a unit of time: use ns us ms s min h (a rate is not possible here)");
    EXPECT_EQ(refusal_of(parse_rate, "50"),
              "'50' is not a rate: use a number with pps kpps Mpps (packets) or bps kbps Mbps Gbps (payload)");
}

TEST(QuantityText, BytesAreWrittenWithTheShortestUnitThatIsExact) {
    constexpr std::uint64_t kKiB = 1024;
    for (const auto& [bytes, text] :
         {std::pair{std::uint64_t{0}, "0"}, std::pair{std::uint64_t{999}, "999"}, std::pair{std::uint64_t{1000}, "1kB"},
          std::pair{64 * kKiB, "64KiB"}, std::pair{std::uint64_t{10'000'000}, "10MB"},
          std::pair{10 * kKiB * kKiB * kKiB, "10GiB"}, std::pair{std::uint64_t{10'000'001}, "10000001"},
          std::pair{std::uint64_t{1} << 62U, "4294967296GiB"}}) {
        EXPECT_EQ(to_string(Bytes{bytes}), text);
        EXPECT_EQ(parse_bytes(text), Bytes{bytes});
    }
}

TEST(QuantityText, SharesAreOfAHundredOrOfOne) {
    EXPECT_DOUBLE_EQ(parse_share("5%"), 0.05);
    EXPECT_DOUBLE_EQ(parse_share("0.05"), 0.05);
    EXPECT_DOUBLE_EQ(parse_share("150%"), 1.5);
    for (const char* const text : {"", "%", "-1%", "5%%", "5 percent"}) {
        EXPECT_THROW(static_cast<void>(parse_share(text)), UsageError) << text;
    }
}

TEST(QuantityText, SizesOfDistributionsMayHaveUnits) {
    EXPECT_EQ(parse_size("1kB"), Distribution(Constant{1000}));
    EXPECT_EQ(parse_size("unif:0.5KiB:1KiB"), Distribution(Uniform{512, 1024}));
    EXPECT_EQ(parse_size("exp:0.0005kB"), Distribution(Exponential{0.5}));
    EXPECT_NE(refusal_of([](std::string_view text) { return parse_size(text); }, "1k").find("write 1kB or 1KiB"),
              std::string::npos);
}

}  // namespace
}  // namespace groma
