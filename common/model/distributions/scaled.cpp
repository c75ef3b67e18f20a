#include "common/model/distributions/scaled.hpp"

#include <algorithm>
#include <string>

#include "common/base/errors.hpp"
#include "common/model/distributions/distribution_check.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/families/parameters.hpp"

namespace groma {

namespace {

bool of_file(const Distribution& distribution) {
    const auto file = [](const auto& part) { return std::holds_alternative<FromFile>(part); };
    if (const auto* mixture = std::get_if<Mixture>(&distribution)) {
        return std::ranges::any_of(mixture->components, file);
    }
    return file(distribution);
}

/// Sets the mean of a family that has it as a parameter. Returns: whether it has.
template <typename Family>
bool with_mean(Family& family, double mean) {
    if constexpr (requires { Family::kParameters; }) {
        for (const auto& parameter : Family::kParameters) {
            if (parameter.kind.unit == ParameterUnit::gap) {
                family.*parameter.member = mean;
                return true;
            }
        }
    }
    return false;
}

/// The mean gap for the rate, in nanoseconds.
double gap_ns(const Rate& rate, const Distribution& size) {
    if (const auto* packets = std::get_if<PacketRate>(&rate)) {
        return 1e9 / packets->pps;
    }
    const auto bytes = mean_from_0(size);
    if (not bytes or not(*bytes > 0)) {
        throw UsageError("the sizes of this flow have no mean, so give the rate in packets (pps)");
    }
    return 8e9 * *bytes / std::get<BitRate>(rate).bps;
}

}  // namespace

Distribution scaled(const Distribution& distribution, double factor) {
    return std::visit([factor](const auto& d) { return Distribution(times(d, factor)); }, distribution);
}

Distribution with_rate(const Distribution& idt, const Rate& rate, const Distribution& size) {
    if (is_greedy(idt)) {
        throw UsageError("this flow goes as fast as possible ('max'): give a rate, or 'max', not both");
    }
    const double gap = gap_ns(rate, size);
    if (not(gap > 0) or gap > kLargestValue) {
        throw UsageError("is out of range for this flow");
    }
    Distribution result = idt;
    if (std::visit([gap](auto& d) { return with_mean(d, gap); }, result)) {
        return result;
    }
    const auto drawn = mean_from_0(idt);
    if (of_file(idt) or not drawn or not(*drawn > 0)) {
        throw UsageError(of_file(idt) ? "the gaps of this flow are those of a file, which are sent as they are"
                                      : "the inter-departure times of this flow have no mean that could be "
                                        "changed; write the ones you want with 'idt'");
    }
    result = scaled(idt, gap / *drawn);
    if (const std::string error = parameter_error(result); not error.empty()) {
        throw UsageError("is out of range for this flow: " + error);
    }
    return result;
}

}  // namespace groma
