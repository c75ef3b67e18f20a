#include "common/model/families/family.hpp"

#include <cmath>

#include "common/model/text/quantity_text.hpp"

namespace groma::parameter {

std::string within(std::string_view label, double value, double low, double high, std::string_view bounds) {
    if (std::isfinite(value) and value >= low and value <= high) {
        return {};
    }
    return "the " + std::string(label) + " must be " + std::string(bounds);
}

std::string above_0(std::string_view label, double value) {
    if (std::isfinite(value) and value > 0 and value <= kLargestValue) {
        return {};
    }
    return "the " + std::string(label) + (value > 0 ? " is too large" : " must be above 0");
}

std::string from_0_on(std::string_view label, double value) {
    if (std::isfinite(value) and value >= 0 and value <= kLargestValue) {
        return {};
    }
    return "the " + std::string(label) + (value > 0 ? " is too large" : " must not be negative");
}

std::string shapely(std::string_view label, double value) {
    return within(label, value, 0.01, 1e6, "between 0.01 and 1000000");
}

std::string unchecked(std::string_view /*label*/, double /*value*/) {
    return {};
}

}  // namespace groma::parameter
