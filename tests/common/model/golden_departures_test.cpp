// A seed keeps its meaning across releases: a run can be repeated from its log years later.
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "common/model/distributions/distribution_text.hpp"
#include "common/model/flow/schedule.hpp"

namespace groma {
namespace {

struct Golden {
    std::string idt;
    std::vector<std::pair<std::int64_t, std::uint32_t>> departures;  ///< offset in ns, size
};

/// Of generator 1.
const std::vector<Golden>& goldens() {
    static const std::vector<Golden> kAll = {
        {"const:3000pps", {{0, 448}, {333333, 1320}, {666667, 347}, {1000000, 640}}},
        {"unif:1ms:3ms", {{0, 448}, {1544402, 1320}, {2694688, 347}, {5634189, 640}}},
        {"exp:1000pps", {{0, 448}, {2035485, 1320}, {2905607, 347}, {5939558, 640}}},
        {"normal:10ms:1ms", {{0, 448}, {8611115, 1320}, {19491540, 347}, {27754144, 640}}},
        {"poisson:8ms", {{0, 448}, {6000000, 1320}, {10000000, 347}, {24000000, 640}}},
        {"pareto:1.5:1ms", {{0, 448}, {1235926, 1320}, {2289383, 347}, {12589807, 640}}},
        {"cauchy:10ms:1ms", {{0, 448}, {9130597, 1320}, {14973505, 347}, {35464645, 640}}},
        {"gamma:2.5:1ms", {{0, 448}, {3800429, 1320}, {5109792, 347}, {7090176, 640}}},
        {"weibull:0.5:1ms", {{0, 448}, {100953, 1320}, {107055, 347}, {12345001, 640}}},
        {"lognormal:1ms:0.5", {{0, 448}, {499353, 1320}, {2052390, 347}, {2471887, 640}}},
        {"student:3:10ms:1ms", {{0, 448}, {7185204, 1320}, {15494547, 347}, {23345428, 640}}},
        {"discrete:1ms=1,2ms=1,3ms=1", {{0, 448}, {1000000, 1320}, {4000000, 347}, {7000000, 640}}},
        {"mix:0.3*(exp:1ms)+0.7*(normal:20ms:1ms)", {{0, 448}, {870121, 1320}, {21521304, 347}, {22744828, 640}}},
    };
    return kAll;
}

/// Of generator 2, of the families whose draws come from U. Computed by a program of its own, in Python, from
/// docs/reference/models.md.
const std::vector<Golden>& goldens_of_53_bits() {
    static const std::vector<Golden> kAll = {
        {"unif:1ms:3ms", {{0, 448}, {1544402, 347}, {4483903, 677}, {6868910, 658}}},
        {"pareto:1.5:1ms", {{0, 448}, {1235926, 347}, {11536349, 677}, {13731375, 658}}},
        {"weibull:0.5:1ms", {{0, 448}, {100953, 347}, {12338898, 677}, {13729624, 658}}},
        {"cauchy:10ms:1ms", {{0, 448}, {9130597, 347}, {29621735, 677}, {40312892, 658}}},
    };
    return kAll;
}

void expect_golden(const Golden& golden, Generator generator) {
    FlowSpec spec;
    spec.id = FlowId{1};
    spec.seed = 1;
    spec.idt = parse_idt(golden.idt);
    spec.size = parse_size("unif:64:1472");
    spec.stop.packets = 4;
    spec.generator = generator;
    Schedule schedule(spec);
    for (const auto& [offset, size] : golden.departures) {
        const auto departure = schedule.next();
        ASSERT_TRUE(departure.has_value());
        // A nanosecond for mathematical libraries that round the last digit differently.
        EXPECT_NEAR(static_cast<double>(departure->offset.count()), static_cast<double>(offset), 1) << golden.idt;
        EXPECT_EQ(departure->size, size) << golden.idt;
    }
    EXPECT_FALSE(schedule.next().has_value());
}

TEST(GoldenDepartures, OfEveryFamilyAreThoseOfEveryReleaseBefore) {
    for (const Golden& golden : goldens()) {
        expect_golden(golden, Generator::unit_32);
    }
}

TEST(GoldenDepartures, OfUniformDrawsOf53BitsAreThoseOfTheirFormulas) {
    for (const Golden& golden : goldens_of_53_bits()) {
        expect_golden(golden, Generator::unit_53);
    }
}

}  // namespace
}  // namespace groma
