// What a host's kernel reports about its own clock, as a value for control messages and logs.
#pragma once

#include "common/json/describe.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// What a kernel reports about its clock (adjtimex(2)).
struct ClockHealth {
    bool synchronised = false;
    Nanos estimated_error{0};
    Nanos maximum_error{0};
    double frequency_ppm = 0;  ///< correction in force
    bool operator==(const ClockHealth&) const = default;
};

/// JSON.
template <typename Fields>
void describe(Fields& fields, As<Fields, ClockHealth>& clock);

}  // namespace groma
