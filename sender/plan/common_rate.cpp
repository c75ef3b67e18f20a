#include "sender/plan/common_rate.hpp"

#include <optional>
#include <utility>
#include <variant>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/log/asked_rate.hpp"
#include "common/model/distributions/reference.hpp"
#include "common/model/distributions/scaled.hpp"

namespace groma {

namespace {

UsageError error_of(const FlowSpec& flow, const std::string& what) {
    return UsageError("flow '" + plain_text(flow.name, 40) + "': " + what);
}

}  // namespace

CommonRate::CommonRate(std::vector<FlowSpec> flows) : flows_(std::move(flows)) {
    for (const FlowSpec& flow : flows_) {
        if (is_greedy(flow.idt)) {
            throw error_of(flow, "it goes without a schedule (--idt max, or requests that wait for their responses)");
        }
        if (flow.rate_over_time) {
            throw error_of(flow, "its rate changes with time: give one rate");
        }
        const auto gap_ns = mean_from_0(flow.idt);
        const auto pps = nominal_pps(flow);
        const auto bytes = mean_from_0(flow.size);
        if (not gap_ns or not pps or not bytes or not(*bytes > 0)) {
            throw error_of(flow, "its distributions have no mean, so that it has no rate");
        }
        on_pps_.push_back(1e9 / *gap_ns);
        pps_ += *pps;
        bps_ += *pps * *bytes * 8;
    }
}

double CommonRate::pps_of(const Rate& rate) const {
    if (const auto* packets = std::get_if<PacketRate>(&rate)) {
        return packets->pps;
    }
    return std::get<BitRate>(rate).bps / bits_per_packet();
}

std::vector<FlowSpec> CommonRate::flows_at(double pps) const {
    std::vector<FlowSpec> flows = flows_;
    for (std::size_t i = 0; i < flows.size(); ++i) {
        try {
            flows[i].idt = with_rate(flows[i].idt, PacketRate{on_pps_[i] * pps / pps_}, flows[i].size);
        } catch (const UsageError& error) {
            throw error_of(flows[i], error.what());
        }
    }
    return flows;
}

}  // namespace groma
