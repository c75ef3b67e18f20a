// The rate of all flows together, and the same flows at another rate, in the same proportions.
#pragma once

#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

class CommonRate {
public:
    /// Throws: UsageError if a flow has no rate that can be changed, or none that stays.
    explicit CommonRate(std::vector<FlowSpec> flows);

    /// Of the flows as they were given, by their distributions (nominal_pps()).
    [[nodiscard]] double pps() const { return pps_; }
    /// Bits of payload in a packet, on average.
    [[nodiscard]] double bits_per_packet() const { return bps_ / pps_; }
    /// Packets a second of all flows that have this rate together.
    [[nodiscard]] double pps_of(const Rate& rate) const;

    /// The flows, together at `pps`; each changes as by --rate. Throws: UsageError if one cannot have its rate.
    [[nodiscard]] std::vector<FlowSpec> flows_at(double pps) const;

private:
    std::vector<FlowSpec> flows_;
    std::vector<double> on_pps_;  ///< of each flow, in ON periods
    double pps_ = 0;
    double bps_ = 0;
};

}  // namespace groma
