#include "common/model/distributions/distribution_check.hpp"

#include "common/model/families/parameters.hpp"

namespace groma {

std::string parameter_error(const Distribution& distribution) {
    return std::visit([](const auto& d) { return error_of(d); }, distribution);
}

}  // namespace groma
