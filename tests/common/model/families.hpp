// One distribution of each family, for tests that must hold for all of them.
#pragma once

#include <string>
#include <vector>

#include "common/model/distributions/distribution.hpp"
#include "common/model/distributions/distribution_text.hpp"

namespace groma {

struct NamedDistribution {
    std::string text;
    Distribution distribution;
};

/// Continuous ones: their draws have no ties.
inline std::vector<NamedDistribution> continuous_families() {
    std::vector<NamedDistribution> all;
    for (const std::string text :
         {"unif:1ms:3ms", "unif:500pps:2000pps", "exp:1000pps", "normal:10ms:1ms", "pareto:2.5:1ms", "pareto:1.5:1ms",
          "pareto:0.95:1.1ms", "cauchy:10ms:1ms", "gamma:0.5:1ms", "gamma:2.5:1ms", "gamma:50:0.1ms", "weibull:0.5:1ms",
          "weibull:2:1ms", "lognormal:1ms:0.5", "lognormal:1ms:2", "student:0.704073:41.6994ms:0.104821ms",
          "student:3:10ms:1ms", "mix:0.3*(exp:1ms)+0.7*(normal:20ms:1ms)"}) {
        all.push_back({text, parse_idt(text)});
    }
    return all;
}

/// Those whose draws are a few values, with many ties.
inline std::vector<NamedDistribution> discrete_families() {
    std::vector<NamedDistribution> all;
    for (const std::string text : {"poisson:0.5ms", "poisson:8ms", "poisson:40ms", "poisson:500us:100us",
                                   "discrete:1ms=0.65,2ms=0.13,3ms=0.07,4ms=0.15", "discrete:5ms=1,1ms=3"}) {
        all.push_back({text, parse_idt(text)});
    }
    return all;
}

}  // namespace groma
