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
    using ReadState = std::function<std::optional<ConnectionSample>()>;
    using Take = std::function<void(FlowId, const ConnectionSample&)>;

    /// Does nothing for a transport without connections, or a flow that wants no samples.
    void add(const FlowSpec& flow, ReadState read);

    /// Samples the flows that are due; each is due again an interval later. The first call samples all.
    void sample(MonoTime now, WallTime wall, const Take& take);
    /// All of them, whether they are due or not.
    void sample_all(WallTime wall, const Take& take) const;

    /// Empty: no flow to sample.
    [[nodiscard]] std::optional<MonoTime> next_due() const;

private:
    struct Flow {
        FlowId id;
        std::optional<Nanos> interval;  ///< empty: the usual one
        MonoTime due{};
        ReadState read;
    };

    /// Of flows that did not ask for one: often enough for what changes within round trips, unless they are many.
    [[nodiscard]] Nanos usual_interval() const;
    static void take_sample(const Flow& flow, WallTime wall, const Take& take);

    std::vector<Flow> flows_;
};

}  // namespace groma
