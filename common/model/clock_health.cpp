#include "common/model/clock_health.hpp"

#include "common/json/json_record.hpp"

namespace groma {

template <typename Fields>
void describe(Fields& fields, As<Fields, ClockHealth>& clock) {
    constexpr Nanos::rep kYear = 31'557'600'000'000'000;
    constexpr Within kWithinAYear{-kYear, kYear};
    fields("synchronised", clock.synchronised);
    fields("estimated_error_ns", clock.estimated_error, kWithinAYear);
    fields("maximum_error_ns", clock.maximum_error, kWithinAYear);
    fields("frequency_ppm", clock.frequency_ppm);
}

template void describe(JsonWriter&, const ClockHealth&);
template void describe(JsonReader&, ClockHealth&);

}  // namespace groma
