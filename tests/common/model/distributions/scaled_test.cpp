#include "common/model/distributions/scaled.hpp"

#include <gtest/gtest.h>

#include <string>

#include "common/base/errors.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {
namespace {

TEST(Scaled, EveryFamilyHasTheMeanOfTheRate) {
    for (const std::string text :
         {"const:1ms", "unif:1ms:3ms", "exp:2ms", "normal:1ms:0.1ms", "normal:1ms:1ms", "poisson:5ms:1ms",
          "pareto:1.5:0.4ms", "gamma:2:1ms", "weibull:0.7:1ms", "lognormal:1ms:1", "student:3:1ms:0.1ms",
          "discrete:1ms=1,3ms=2", "mix:0.9*(exp:1ms)+0.1*(unif:1ms:2ms)"}) {
        const Distribution asked = parse_idt(text);
        const Distribution result = with_rate(asked, PacketRate{250}, Constant{100});
        EXPECT_EQ(result.index(), asked.index()) << text;
        EXPECT_NEAR(mean_from_0(result).value(), 4e6, 1e-3) << text;
    }
}

TEST(Scaled, TheShapeStays) {
    const Distribution asked = parse_idt("gamma:2:1ms");
    EXPECT_EQ(scaled(asked, 3), parse_idt("gamma:2:3ms"));
    for (const double x : {0.5e6, 1e6, 4e6}) {
        EXPECT_NEAR(cdf(scaled(asked, 3), 3 * x), cdf(asked, x), 1e-12);
    }
}

TEST(Scaled, ARateIsTheSameAsTheTimesWrittenWithIt) {
    for (const std::string text : {"3pps", "7kpps", "333pps", "0.1pps"}) {
        EXPECT_EQ(with_rate(parse_idt("1ms"), parse_rate(text), Constant{1}), parse_idt(text)) << text;
    }
}

TEST(Scaled, BitsAreOfThePayloadsMeanSize) {
    EXPECT_EQ(with_rate(parse_idt("1ms"), parse_rate("8Mbps"), parse_size("unif:500:1500")),
              Distribution(Constant{1e6}));
    EXPECT_THROW(static_cast<void>(with_rate(parse_idt("1ms"), parse_rate("8Mbps"), parse_size("pareto:1:100"))),
                 UsageError);
    const Distribution below = parse_size("normal:500:500");  // sizes below 0 are raised
    EXPECT_EQ(with_rate(Constant{1}, parse_rate("8Mbps"), below), Distribution(Constant{1e3 * *mean_from_0(below)}));
}

TEST(Scaled, GapsOfAFileAreLeftAlone) {
    EXPECT_THROW(static_cast<void>(with_rate(FromFile{"gaps.txt", {1e6}}, PacketRate{5}, Constant{1})), UsageError);
}

TEST(Scaled, RatesOutOfRangeAreRefused) {
    for (const std::string text : {"0pps", "0bps", "-1pps", "10", "1e400Mpps", "1e999bps", "10ms", ""}) {
        EXPECT_THROW(static_cast<void>(parse_rate(text)), UsageError) << text;
    }
    EXPECT_THROW(static_cast<void>(with_rate(Constant{1}, BitRate{1e-30}, Constant{1e9})), UsageError);
}

}  // namespace
}  // namespace groma
