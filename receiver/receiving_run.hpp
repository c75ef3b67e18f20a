// What a session holds of this host: the inboxes of its flows, spread over the receive workers. Gives all of it back at
// its end. Thread: the control thread.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "common/control/messages.hpp"
#include "common/log/run_metadata.hpp"
#include "common/metrics/time_histogram.hpp"
#include "common/model/flow/record_room.hpp"
#include "common/net/nat/puncher.hpp"
#include "common/net/socket/state_sampler.hpp"
#include "receiver/flow_inboxes.hpp"
#include "receiver/flow_loss.hpp"
#include "receiver/flow_receiver.hpp"
#include "receiver/receive_worker.hpp"
#include "receiver/session_log.hpp"

namespace groma {

using ReceiveWorkers = std::vector<std::unique_ptr<ReceiveWorker>>;

class ReceivingRun {
public:
    /// Workers and clock outlive the run.
    ReceivingRun(const DataPlace& place, const ReceiveWorkers& workers, Clock& clock);
    ReceivingRun(const ReceivingRun&) = delete;
    ReceivingRun& operator=(const ReceivingRun&) = delete;
    ~ReceivingRun();

    /// Binds a port for each flow; those that are to be dialled begin to connect. `dial`, `secrets`: as in OpenFlows.
    /// Returns: the ports, or why the first one that cannot be had is refused.
    [[nodiscard]] std::variant<FlowsOpened, Refused> open(const std::vector<FlowSpec>& flows,
                                                          const std::vector<DialTarget>& dial = {},
                                                          const std::vector<FlowSecret>& secrets = {});

    /// Punches once more for every flow that was dialled.
    void punch() noexcept;

    /// Counts delays for delays_since_last(), unless the flows are too many for a message or for the room, which
    /// outlives the run. Requires: open() has returned, start() was not called.
    void watch_delays(WatchedFlows& room);

    /// Receives from now on, into queues of the log if there is one, which outlives the run's stop(). Each has room for
    /// `queue_records`, or less where few packets are expected.
    /// Requires: stop() was not called. Throws: SystemError.
    void start(SessionLog* log, std::size_t queue_records);

    /// Takes in what has arrived and receives no more. A second call does nothing.
    void stop() noexcept;

    /// Looks at the connections that are due. Requires: not open() at the same time.
    void sample_connections(MonoTime now, WallTime wall, const StateSampler::Take& take) {
        sampler_.sample(now, wall, take);
    }
    /// At all of them, due or not.
    void sample_at_end(WallTime wall, const StateSampler::Take& take) const { sampler_.sample_all(wall, take); }
    /// When it wants to be called next; nothing: never.
    [[nodiscard]] std::optional<MonoTime> next_sample() const { return sampler_.next_due(); }

    [[nodiscard]] const std::vector<FlowSetup>& setups() const { return setups_; }
    /// Nobody asks for them any more: they take a kilobyte a flow.
    void forget_setups() { setups_ = std::vector<FlowSetup>(); }
    /// "kernel software", "user" or both: what the times of arrival are.
    [[nodiscard]] std::string timestamps() const;

    /// Of all flows together. `open`: any of them.
    [[nodiscard]] FlowCounts counts() const noexcept;
    /// Of all flows together; with `each_flow` also of each, unless they are too many for a message. Without number and
    /// time.
    [[nodiscard]] ProgressReply progress(bool each_flow) const;
    /// As FlowReceiver has it, of a flow by its place. Thread: one.
    [[nodiscard]] std::vector<CountedDelay> delays_since_last(std::size_t place) {
        return flows_[place]->delays_since_last();
    }
    [[nodiscard]] std::size_t flows() const noexcept { return flows_.size(); }
    /// As FlowReceiver has it, of a flow by its place.
    [[nodiscard]] bool numbered(std::size_t place) const { return flows_[place]->numbered(); }
    /// All flows.
    [[nodiscard]] bool numbered() const;
    /// Whether every flow has what was sent, or can get no more, and its replies have gone.
    [[nodiscard]] bool all_arrived(const std::vector<SentFlow>& sent) const;

    // Requires: stop() was called.
    [[nodiscard]] ReceiverResults results() const;
    /// Of each flow that the sender tells of, in the order of the run.
    [[nodiscard]] std::vector<FlowLoss> losses(const std::vector<SentFlow>& sent) const;
    /// Of packets that carry the time of their departure.
    void add_delays_to(TimeHistogram& times) const;

private:
    /// The flows of one worker.
    struct Share {
        ReceiveWorker* worker = nullptr;
        std::vector<FlowReceiver*> flows;
        double expected_pps = 0;
    };

    /// A flow with an inbox, and what is expected of all flows that come in there.
    struct Source {
        FlowReceiver* flow = nullptr;
        double expected_pps = 0;
    };

    /// An association of several flows: the first of them has the inbox.
    struct Association {
        FlowReceiver* first = nullptr;
        FlowSpec spec;              ///< of the first
        std::uint32_t streams = 0;  ///< of all
        std::size_t source = 0;     ///< its place in sources_
    };

    /// `dial`: where the flow's receiver calls; null: it is awaited here. Throws: as FlowInboxes::open().
    FlowReceiver& add(const FlowSpec& spec, const DialTarget* dial, const std::optional<MacKey>& seal);
    /// The first flow of the association that this one shares; null: it is the first, or shares none.
    /// Throws: UsageError when it cannot share it.
    [[nodiscard]] FlowReceiver* first_of_association(const FlowSpec& spec);
    /// Deals the flows out to the workers, by what is expected of them and what the workers do for others.
    void spread();

    FlowInboxes inboxes_;
    WatchedFlows* watched_ = nullptr;  ///< where its flows have taken room
    std::map<std::pair<Transport, std::uint32_t>, Association> associations_;
    std::vector<Share> shares_;
    std::vector<Source> sources_;
    std::vector<Share*> started_;
    std::vector<std::unique_ptr<FlowReceiver>> flows_;
    std::vector<Puncher> punchers_;  ///< of flows that are dialled
    std::vector<FlowSetup> setups_;
    RecordRoom room_;  ///< of all flows, for the records of any worker
    StateSampler sampler_;
};

}  // namespace groma
