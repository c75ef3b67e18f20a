#include "sender/engine/round_trip.hpp"

namespace groma {

void add(RoundTrip& sum, const RoundTrip& part) {
    sum.returned += part.returned;
    sum.bytes += part.bytes;
    sum.duplicates += part.duplicates;
    sum.reordered += part.reordered;
    sum.untimed += part.untimed;
    sum.odd_residence += part.odd_residence;
    sum.foreign += part.foreign;
    sum.malformed += part.malformed;
    sum.forged += part.forged;
    sum.kernel_drops += part.kernel_drops;
    sum.refused += part.refused;
    sum.records_lost += part.records_lost;
    sum.timed_out += part.timed_out;
    sum.connections += part.connections;
    sum.connections_failed += part.connections_failed;
    sum.connect_ns.merge(part.connect_ns);
    sum.rtt_ns.merge(part.rtt_ns);
    sum.rtt_less_residence_ns.merge(part.rtt_less_residence_ns);
}

}  // namespace groma
