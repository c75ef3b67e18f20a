#include "common/model/distributions/log_density.hpp"

#include <limits>

namespace groma {

namespace {

struct LogDensityAt {
    double x;

    template <typename Family>
    double operator()(const Family& family) const {
        if constexpr (requires { family.log_density(x); }) {
            return family.log_density(x);
        } else {
            return std::numeric_limits<double>::quiet_NaN();
        }
    }
};

}  // namespace

double log_density(const Distribution& distribution, double x) {
    return std::visit(LogDensityAt{x}, distribution);
}

}  // namespace groma
