#include "receiver/live_meter.hpp"

#include <algorithm>

#include "common/cli/human.hpp"

namespace groma {

std::string LiveMeter::line(const LiveTotals& totals, MonoTime now) {
    const double seconds = std::max(to_seconds(now - last_), 1e-9);
    const auto packets = static_cast<double>(totals.packets - before_.packets);
    const double bits = 8 * static_cast<double>(totals.bytes - before_.bytes);
    last_ = now;
    before_ = totals;
    return std::to_string(totals.sessions) + " sessions, " + std::to_string(totals.flows) +
           " flows: " + human_rate(packets / seconds) + ", " + human_bits(bits / seconds) + ", lost so far " +
           std::to_string(totals.missing);
}

}  // namespace groma
