// Looks at the connections of many flows, each as often as it asks for (TransportOptions::state_interval). Thread: one
// at a time; never that of the packets.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/time/instant.hpp"
#include "common/wire/records.hpp"

namespace groma {

class StateSampler {
public:
    /// The connection's state now, as Channel::sample() and Inbox::sample().
    using Look = std::function<std::optional<ConnectionSample>()>;
    using Take = std::function<void(FlowId, const ConnectionSample&)>;

    /// Does nothing for a transport without connections, or a flow that wants no samples.
    void add(const FlowSpec& flow, Look look);

    /// The flows that are due are looked at now, and next an interval later; the first time all of them are.
    void poll(MonoTime now, WallTime wall, const Take& take);
    /// All of them, whether they are due or not.
    void look_at_all(WallTime wall, const Take& take) const;

    /// Nothing: no flow is looked at.
    [[nodiscard]] std::optional<MonoTime> next_due() const;

private:
    struct Flow {
        FlowId id;
        Nanos interval{0};
        MonoTime due{};
        Look look;
    };

    static void take_sample(const Flow& flow, WallTime wall, const Take& take);

    std::vector<Flow> flows_;
};

}  // namespace groma
