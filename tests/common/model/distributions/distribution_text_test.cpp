#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "common/model/distributions/distribution_check.hpp"
#include "common/model/distributions/distribution_text.hpp"
#include "common/model/distributions/stream.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/flow/profiles.hpp"
#include "common/model/text/quantity_text.hpp"
#include "tests/common/model/families.hpp"

namespace groma {
namespace {

/// Random distributions with parameters of every magnitude; the same ones every time.
class Inventor {
public:
    explicit Inventor(std::uint64_t seed) : state_(seed) {}

    Distribution invent() {
        if (below(6) > 0) {
            return std::visit([](const auto& family) { return Distribution{family}; }, simple());
        }
        Mixture mixture;
        for (std::uint64_t i = 0; i <= below(4); ++i) {
            mixture.weights.push_back(number(1e-6, 1e6));
            mixture.components.push_back(simple());
        }
        return mixture;
    }

private:
    std::uint64_t below(std::uint64_t limit) { return (state_ = mix(state_)) % limit; }

    /// Log-uniform; every other one rounded to a few digits, as users write them.
    double number(double low, double high) {
        const double unit = static_cast<double>(below(1U << 30U)) / static_cast<double>(1U << 30U);
        const double value = low * std::pow(high / low, unit);
        return below(2) == 0 ? value : std::max(low, std::round(value * 1000) / 1000);
    }

    double value() { return number(1e-3, 1e15); }
    double shape() { return number(0.02, 1e3); }

    SimpleDistribution simple() {
        switch (below(12)) {
            case 0:
                return Constant{value()};
            case 1: {
                const double low = value();
                return Uniform{low, low + value() + low * 1e-3};
            }
            case 2:
                return Exponential{value()};
            case 3:
                return Normal{value(), value()};
            case 4:
                return Poisson{number(1e-3, 1e6), value()};
            case 5:
                return Pareto{shape(), value()};
            case 6:
                return Cauchy{value(), value()};
            case 7:
                return Gamma{shape(), value()};
            case 8:
                return Weibull{shape(), value()};
            case 9:
                return LogNormal{value(), number(0.01, 10)};
            case 10:
                return StudentT{shape(), value(), value()};
            default:
                return Discrete{{value(), 0, value()}, {number(1e-3, 1e3), number(1e-3, 1e3), 1}};
        }
    }

    std::uint64_t state_;
};

TEST(DistributionText, IsReadBackToExactlyTheSameValue) {
    Inventor inventor(2026);
    for (int i = 0; i < 3000; ++i) {
        const Distribution distribution = inventor.invent();
        ASSERT_EQ(parameter_error(distribution), "") << idt_to_string(distribution);
        ASSERT_EQ(parse_idt(idt_to_string(distribution)), distribution) << idt_to_string(distribution);
        ASSERT_EQ(parse_period(period_to_string(distribution)), distribution) << period_to_string(distribution);
        ASSERT_EQ(parse_size(size_to_string(distribution)), distribution) << size_to_string(distribution);
    }
}

TEST(DistributionText, OfTheLargestAndSmallestValuesIsReadBackToo) {
    for (const double value : {kLargestValue, std::nextafter(kLargestValue, 0.0), 1e-7, 1e-300}) {
        const Distribution constant = Constant{value};
        EXPECT_EQ(parse_idt(idt_to_string(constant)), constant) << idt_to_string(constant);
        EXPECT_EQ(parse_size(size_to_string(constant)), constant) << size_to_string(constant);
    }
}

TEST(DistributionText, OfProfilesIsReadBackToo) {
    for (const Profile& candidate : profiles()) {
        EXPECT_EQ(parse_idt(idt_to_string(candidate.idt)), candidate.idt) << candidate.name;
        EXPECT_EQ(parse_size(size_to_string(candidate.size)), candidate.size) << candidate.name;
    }
}

TEST(DistributionText, ShowsRatesAndTimesAsAPersonWouldWriteThem) {
    for (const std::string text : {"const:3000pps", "exp:2000pps", "const:2s", "unif:1ms:3ms", "normal:1ms:0.1ms",
                                   "poisson:8ms", "poisson:0.5ms:0.1ms", "pareto:1.5:0.4ms", "gamma:2:1s",
                                   "discrete:1ms=0.65,2ms=0.35", "mix:0.6*(exp:4.29ms)+0.4*(const:10.75ms)"}) {
        EXPECT_EQ(idt_to_string(parse_idt(text)), text);
    }
    EXPECT_EQ(period_to_string(parse_period("const:90s")), "const:90s");
    EXPECT_EQ(size_to_string(parse_size("unif:64:1472")), "unif:64:1472");
}

TEST(DistributionCheck, EveryFamilyOfTheTestsIsGood) {
    for (const auto& [text, distribution] : continuous_families()) {
        EXPECT_EQ(parameter_error(distribution), "") << text;
    }
}

TEST(DistributionCheck, NamesTheParameterThatIsWrong) {
    EXPECT_EQ(parameter_error(Normal{1, -1}), "the standard deviation must be above 0");
    EXPECT_EQ(parameter_error(Exponential{1e30}), "the mean is too large");
    EXPECT_EQ(parameter_error(Uniform{2, 1}), "the lower end must be below the upper end");
    EXPECT_EQ(parameter_error(Constant{std::nan("")}), "the value must be above 0");
    EXPECT_NE(parameter_error(Discrete{{1, 2}, {1}}), "");
    EXPECT_NE(parameter_error(Mixture{{1}, {}}), "");
    EXPECT_NE(parameter_error(FromFile{"a\nb", {1}}), "");
    EXPECT_NE(parameter_error(FromFile{"", {1}}), "");
}

FlowSpec good() {
    FlowSpec spec;
    spec.target = parse_target("h");
    spec.stop.packets = 1;
    return spec;
}

TEST(FlowCheck, FindsNothingWrongWithAGoodFlow) {
    EXPECT_EQ(validate(good()), std::vector<std::string>{});
}

TEST(FlowCheck, NamesEverythingThatIsWrong) {
    FlowSpec spec;
    spec.name = "a\n";
    spec.start_delay = Nanos{-1};
    spec.idt = Exponential{-1};
    spec.target.data_port = std::uint16_t{0};
    spec.size = Constant{0.5};
    EXPECT_EQ(validate(spec).size(), 7U) << testing::PrintToString(validate(spec));
}

TEST(FlowCheck, SizesThatAreAskedForExactlyMustBePossible) {
    for (const std::string size : {"65508", "unif:1:70000", "unif:0:100", "discrete:100=1,65508=1", "discrete:0=1,1=1",
                                   "mix:1*(const:100)+1*(const:99999)", "discrete:1.5=1"}) {
        FlowSpec spec = good();
        spec.size = parse_size(size);
        EXPECT_EQ(validate(spec).size(), 1U) << size;
    }
    FlowSpec spec = good();
    spec.size = parse_size("65508");
    spec.transport = Transport::tcp;
    EXPECT_EQ(validate(spec).size(), 0U);
}

TEST(FlowCheck, AStopRuleThatStopsAtOnceIsRefused) {
    FlowSpec spec = good();
    spec.stop = {Nanos{0}, 0, Bytes{0}};
    EXPECT_EQ(validate(spec).size(), 3U);
}

}  // namespace
}  // namespace groma
