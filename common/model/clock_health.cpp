#include "common/model/clock_health.hpp"

#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <string>

#include "common/base/errors.hpp"

namespace groma {

namespace {

/// Up to a year, either way.
Nanos error_field(const nlohmann::json& object, const char* name) {
    constexpr std::int64_t kYear = 31'557'600'000'000'000;
    const auto found = object.find(name);
    if (found == object.end() or not found->is_number_integer() or std::abs(found->get<std::int64_t>()) > kYear) {
        throw UsageError(std::string("field \"") + name + "\" is no span of time");
    }
    return Nanos{found->get<std::int64_t>()};
}

}  // namespace

nlohmann::json to_json(const ClockHealth& clock) {
    return {{"synchronised", clock.synchronised},
            {"estimated_error_ns", clock.estimated_error.count()},
            {"maximum_error_ns", clock.maximum_error.count()},
            {"frequency_ppm", clock.frequency_ppm}};
}

ClockHealth clock_health_from_json(const nlohmann::json& object) {
    if (not object.is_object() or not object.contains("synchronised") or not object["synchronised"].is_boolean() or
        not object.contains("frequency_ppm") or not object["frequency_ppm"].is_number()) {
        throw UsageError("field \"clock\" is not what a kernel says of its clock");
    }
    return {.synchronised = object["synchronised"].get<bool>(),
            .estimated_error = error_field(object, "estimated_error_ns"),
            .maximum_error = error_field(object, "maximum_error_ns"),
            .frequency_ppm = object["frequency_ppm"].get<double>()};
}

}  // namespace groma
