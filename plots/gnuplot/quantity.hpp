// Units for axes, chosen by the magnitude of what is drawn.
#pragma once

#include <string>

namespace groma {

enum class Quantity { nanoseconds, seconds, bits_per_second, packets_per_second, packets, segments, bytes, share };

struct AxisUnit {
    double factor = 1;  ///< a value in the quantity's base unit times this is what is drawn
    std::string name;   ///< "ms"; empty for a bare number
    bool operator==(const AxisUnit&) const = default;
};

/// The unit in which `largest` (in the base unit) has one to three digits before the point, if there is one.
[[nodiscard]] AxisUnit unit_for(Quantity quantity, double largest);

/// "one-way delay [ms]".
[[nodiscard]] std::string axis_label(const std::string& what, const AxisUnit& unit);

/// "200 ns", "5 us", "1 ms": a time for a tick of a logarithmic axis, which no single unit suits.
[[nodiscard]] std::string tick_label(double nanoseconds);

/// "500", "20 k", "1 M": a plain number for such a tick.
[[nodiscard]] std::string number_label(double value);

}  // namespace groma
