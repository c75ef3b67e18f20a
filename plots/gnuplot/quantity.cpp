#include "plots/gnuplot/quantity.hpp"

#include <fmt/format.h>

#include <cmath>
#include <span>

namespace groma {

namespace {

struct Step {
    double from;  ///< smallest value that is drawn in this unit
    double factor;
    const char* name;
};

constexpr Step kNanoseconds[] = {{1e9, 1e-9, "s"}, {1e6, 1e-6, "ms"}, {1e3, 1e-3, "us"}, {0, 1, "ns"}};
constexpr Step kSeconds[] = {{3 * 3600.0, 1 / 3600.0, "h"}, {600, 1 / 60.0, "min"}, {0, 1, "s"}};
constexpr Step kBits[] = {{1e9, 1e-9, "Gbit/s"}, {1e6, 1e-6, "Mbit/s"}, {1e3, 1e-3, "kbit/s"}, {0, 1, "bit/s"}};
constexpr Step kRates[] = {{1e6, 1e-6, "million packets/s"}, {1e4, 1e-3, "thousand packets/s"}, {0, 1, "packets/s"}};
constexpr Step kPackets[] = {{1e6, 1e-6, "million packets"}, {0, 1, "packets"}};
constexpr Step kSegments[] = {{1e6, 1e-6, "million segments"}, {0, 1, "segments"}};
constexpr Step kBytes[] = {{1e9, 1e-9, "GB"}, {1e6, 1e-6, "MB"}, {1e4, 1e-3, "kB"}, {0, 1, "bytes"}};
constexpr Step kShare[] = {{0, 1, ""}};

std::span<const Step> steps_of(Quantity quantity) {
    switch (quantity) {
        case Quantity::nanoseconds:
            return kNanoseconds;
        case Quantity::seconds:
            return kSeconds;
        case Quantity::bits_per_second:
            return kBits;
        case Quantity::packets_per_second:
            return kRates;
        case Quantity::packets:
            return kPackets;
        case Quantity::segments:
            return kSegments;
        case Quantity::bytes:
            return kBytes;
        case Quantity::share:
            break;
    }
    return kShare;
}

}  // namespace

AxisUnit unit_for(Quantity quantity, double largest) {
    const std::span<const Step> steps = steps_of(quantity);
    for (const Step& step : steps) {
        if (std::abs(largest) >= step.from) {
            return {step.factor, step.name};
        }
    }
    return {steps.back().factor, steps.back().name};
}

std::string axis_label(const std::string& what, const AxisUnit& unit) {
    return unit.name.empty() ? what : what + " [" + unit.name + "]";
}

std::string tick_label(double nanoseconds) {
    const AxisUnit unit = unit_for(Quantity::nanoseconds, nanoseconds);
    return fmt::format("{:g} {}", nanoseconds * unit.factor, unit.name);
}

std::string number_label(double value) {
    if (value >= 1e9) {
        return fmt::format("{:g} G", value * 1e-9);
    }
    if (value >= 1e6) {
        return fmt::format("{:g} M", value * 1e-6);
    }
    return value >= 1e4 ? fmt::format("{:g} k", value * 1e-3) : fmt::format("{:g}", value);
}

}  // namespace groma
