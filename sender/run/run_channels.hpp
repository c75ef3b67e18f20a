// Opens the channels of a run: connected to where its receivers await the flows, or met at listeners where a passive
// sender awaits its receivers.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/net/channel/signalling.hpp"
#include "common/net/device/device_queues.hpp"
#include "sender/links/flow_listeners.hpp"
#include "sender/links/receiver_links.hpp"
#include "sender/options/sender_options.hpp"
#include "sender/plan/receiver_plan.hpp"

namespace groma {

/// Outlives the channels. Thread: the run's.
class RunChannels {
public:
    /// Of the options the time limits and the serial port on which every packet is shown, if any. The others outlive
    /// this. Throws: SystemError.
    RunChannels(const SenderOptions& options, Clock& clock, ReceiverLinks& links, const GiveUp& give_up);

    /// Has the flows of all receivers, which have called in, awaited at listeners of their own, and tells them where.
    /// Throws: SystemError, RunError.
    void open_listeners(const std::vector<ReceiverPlan>& plans);
    /// Of a passive sender; null before open_listeners().
    [[nodiscard]] FlowListeners* listeners() { return listeners_ ? &*listeners_ : nullptr; }

    /// `to`: where each flow is awaited, by a receiver that listens. Returns: a channel for each flow, in their order.
    /// Throws: SystemError, UsageError; RunError when it was given up or a receiver has gone.
    [[nodiscard]] std::vector<std::unique_ptr<Channel>> open(const std::vector<FlowSpec>& flows,
                                                             const std::map<FlowId, SocketAddress>& to);

private:
    [[nodiscard]] std::vector<std::unique_ptr<Channel>> connect(const std::vector<FlowSpec>& flows,
                                                                const std::map<FlowId, SocketAddress>& to);
    [[nodiscard]] std::vector<std::unique_ptr<Channel>> meet(const std::vector<FlowSpec>& flows,
                                                             const std::map<FlowId, SocketAddress>& to);

    SessionTimes times_;
    FlowListeners::PunchesFrom punches_from_;
    std::optional<SignalLine> signal_line_;
    Clock& clock_;
    ReceiverLinks& links_;
    const GiveUp& give_up_;
    DeviceQueues queues_{};
    std::optional<FlowListeners> listeners_;
};

/// Which times of departure a flow has beside the user's, as the log's metadata say it: ", departures also by ...". The
/// records of packets have the user's always; others come in records of their own.
[[nodiscard]] std::vector<std::string> departure_times_in_words(const FlowSpec& spec, const Channel& channel);

}  // namespace groma
