// The packet path of the sender: workers that send the departures of all flows on time and hand a record of each packet
// to the log.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/log/log_writer.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/os/thread_maker.hpp"
#include "common/time/clock.hpp"
#include "sender/engine/engine_flow.hpp"
#include "sender/engine/pacing_facts.hpp"

namespace groma {

struct EngineOptions {
    unsigned threads = 1;         ///< that send; 0: as many as the load asks for (common/model/flow/flow_spread.hpp)
    std::vector<unsigned> pin{};  ///< cores to keep them on, by turns; empty: the kernel chooses
    bool realtime = false;        ///< before everything that is not real time, with memory locked
    bool logged = false;          ///< start() will give a log: what is recorded for logs only is recorded
    /// Room for records between worker and log, for each worker; less is taken for few packets.
    std::size_t queue_records = std::size_t{1} << 20U;
    std::size_t largest_batch = 64;  ///< packets of one flow in one send call
    ThreadMaker make_thread = groma::make_thread;
};

/// Life: construct, start(), (progress(), stop()), wait() and end_replies(). Owns the flows' channels and finishes
/// them: each when its flow is complete, the others in wait(). Threads: docs/design/threads.md.
class SendEngine {
public:
    /// Takes a while, as all memory for records is touched. The clock outlives the engine. Throws: RunError when a
    /// flow's transport has no replies for the round-trip meter; SystemError.
    SendEngine(std::vector<FlowToSend> flows, EngineOptions options, Clock& clock);
    SendEngine(const SendEngine&) = delete;
    SendEngine& operator=(const SendEngine&) = delete;
    ~SendEngine();

    /// Offsets of all schedules count from `start`; it lies ahead by the time that threads need to start. `log` is used
    /// from the engine's log thread only, and outlives the engine; null: nothing is logged.
    /// Requires: a log only with EngineOptions::logged. Throws: SystemError when there are not enough threads; then
    /// what some flows have sent is not known, and the engine is only to be destroyed.
    void start(MonoTime start, LogWriter* log);

    /// From any thread, or a signal handler's context: all flows end with the packet that is being sent.
    void stop() noexcept;
    /// Ends one flow with an error, such as "the receiver at ... closed the connection".
    void fail(FlowId flow, const std::string& why);

    [[nodiscard]] std::vector<FlowProgress> progress() const;

    /// Looks at the connections that are due, for the log. Thread: one at a time, between start() and wait().
    void look_at_connections(MonoTime now, WallTime wall);
    /// When it wants to be called next; nothing: never.
    [[nodiscard]] std::optional<MonoTime> next_poll() const;
    /// Samples of connections that found no room on their way to the log.
    [[nodiscard]] std::uint64_t samples_lost() const;

    [[nodiscard]] bool finished() const;

    /// Returns when all flows have ended and every record of a packet sent is in the log (which is not closed). Call it
    /// once, after start(). The outcomes are in the order of the flows that were given.
    [[nodiscard]] std::vector<FlowOutcome> wait();

    /// Replies still come in, and are logged, after wait(): until this, which adds them to the outcomes that wait()
    /// gave. The log may be closed after it.
    void end_replies(std::vector<FlowOutcome>& outcomes);

    /// How the workers were run. To be called after wait().
    [[nodiscard]] PacingFacts pacing() const;

    /// Why records could not be logged (the first error of the log's sink); empty when all is well.
    [[nodiscard]] std::string log_error() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
