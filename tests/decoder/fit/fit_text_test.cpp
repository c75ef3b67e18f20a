#include "decoder/fit/fit_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "decoder/fit/fit_json.hpp"
#include "tests/decoder/fit_samples.hpp"

namespace groma {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(FitText, SaysWhatWasFoundAndWhatWasLeftOut) {
    FitOptions options;
    options.top = 1;
    FitResults results = fitted({{}, {.packets = 1000}, {.packets = 7}}, options);
    results.sources[0].left_out[static_cast<std::size_t>(NoFlow::fragment)] = 12;
    results.sources[0].bare = 3;
    const std::string text = fit_text(results, options);
    EXPECT_THAT(text, HasSubstr("left out: 12 fragments of IP datagrams"));
    EXPECT_THAT(text, HasSubstr("left out: 3 without payload"));
    EXPECT_THAT(text, Not(HasSubstr("malformed")));
    EXPECT_THAT(text, HasSubstr("exp:"));
    EXPECT_THAT(text, HasSubstr("unif:99.5:319.5"));
    EXPECT_THAT(text, HasSubstr("H by wavelet"));
    EXPECT_THAT(text, HasSubstr("1 flow has fewer than 100 packets"));
    EXPECT_THAT(text, HasSubstr("1 more flow is not among the 1 with the most packets"));
}

TEST(FitText, SaysHowMuchOfTheRateAFamilyKeeps) {
    const FitResults results = fitted({{.gaps = Pareto{1.6, 1e5}}});
    const FamilyFit& best = results.traffic[0].gaps.families.front();
    const std::string text = fit_text(results, {});
    EXPECT_THAT(text, HasSubstr("rate / seen"));
    EXPECT_THAT(text, HasSubstr(fmt::format("{:.4f}", 1 / best.mean_ratio.value())));
    EXPECT_THAT(text, HasSubstr("mean / seen"));
}

TEST(FitText, NamesFromElsewhereAreShownAndNotObeyed) {
    const FitResults results = fitted({{.name = "evil\x1b[2J\n\"name\""}});
    EXPECT_THAT(fit_text(results, {}), Not(HasSubstr("\x1b")));
    const auto json = nlohmann::json::parse(fit_json(results));
    EXPECT_EQ(json["flows"][0]["name"], "evil\x1b[2J\n\"name\"");
}

TEST(FitJson, HasNullForWhatIsNotKnown) {
    const auto json = nlohmann::json::parse(fit_json(fitted({{.gaps = Constant{1e6}, .sizes = Constant{100}}})));
    const auto& flow = json["flows"][0];
    EXPECT_EQ(flow["gaps_ns"]["families"][0]["text"], "const:1000pps");
    EXPECT_TRUE(flow["gaps_ns"]["families"][0]["lambda2"].is_null());
    EXPECT_TRUE(flow["gaps_ns"]["autocorrelation"].empty());
    EXPECT_EQ(flow["sizes"]["mean"], 100);
    EXPECT_EQ(flow["sizes"]["families"][0]["mean_ratio"], 1);
    EXPECT_EQ(json["complete"], true);
    const auto together = nlohmann::json::parse(fit_json(fitted({{.gaps = Constant{0}}})));
    EXPECT_TRUE(together["flows"][0]["packet_rate_pps"].is_null()) << "all at one instant";
    EXPECT_TRUE(together["flows"][0]["gaps_ns"]["families"].empty());
    EXPECT_TRUE(together["flows"][0]["counts"]["hurst"]["wavelet"].is_null());
}

}  // namespace
}  // namespace groma
