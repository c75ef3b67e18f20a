// The sender's packet path: workers send the departures of all flows on time and queue a record of each packet for the
// log.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/log/log_writer.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/os/scheduling.hpp"
#include "common/os/thread_maker.hpp"
#include "common/time/clock.hpp"
#include "sender/engine/engine_flow.hpp"
#include "sender/engine/pacing_facts.hpp"

namespace groma {

struct EngineOptions {
    unsigned threads = 1;         ///< sending threads; 0: chosen by load (common/model/flow/flow_spread.hpp)
    std::vector<unsigned> pin{};  ///< their cores, assigned round robin; empty: the kernel chooses
    /// Real-time priority and locked memory; `on` also keeps idle cores awake. `automatic` keeps ordinary scheduling
    /// where no core would be left over, or a flow goes as fast as possible.
    Realtime realtime = Realtime::off;
    bool logged = false;  ///< start() will get a log: keep the records that only logs need
    /// Records in each worker's queue to the log; fewer if there are few packets.
    std::size_t queue_records = std::size_t{1} << 20U;
    std::size_t largest_batch = 64;  ///< packets of one flow in one send call
    ThreadMaker make_thread = groma::make_thread;
};

/// Life: construct, start(), (progress(), stop()), wait() and end_replies(). Owns the flows' channels and finishes each
/// when its flow completes, the others in wait(). Threads: docs/design/threads.md.
class SendEngine {
public:
    /// Slow: touches all memory for records. The clock outlives the engine. Throws: RunError if a flow's transport has
    /// no replies for the round-trip meter; SystemError.
    SendEngine(std::vector<FlowToSend> flows, EngineOptions options, Clock& clock);
    SendEngine(const SendEngine&) = delete;
    SendEngine& operator=(const SendEngine&) = delete;
    ~SendEngine();

    /// Offsets of all schedules count from `start`, which must leave time for the threads to start. Only the engine's
    /// log thread uses `log`, which outlives the engine; null: no log.
    /// Requires: a log only with EngineOptions::logged. Throws: SystemError if threads cannot start; the counts are
    /// then undefined, and the engine may only be destroyed.
    void start(MonoTime start, LogWriter* log);

    /// Ends all flows after the packet being sent. From any thread or a signal handler.
    void stop() noexcept;
    /// Ends one flow with an error, such as "the receiver at ... closed the connection".
    void fail(FlowId flow, const std::string& why);

    [[nodiscard]] std::vector<FlowProgress> progress() const;
    /// The same, and asks the kernel for the state of each connection. Requires: wait() was not called.
    [[nodiscard]] std::vector<FlowProgress> progress_and_connections() const;

    /// Samples the connections that are due, for the log and the outcomes. Thread: one at a time, between start() and
    /// wait().
    void sample_connections(MonoTime now, WallTime wall);
    /// When sample_connections() is due next; empty: never.
    [[nodiscard]] std::optional<MonoTime> next_sample() const;
    /// Connection samples dropped because the queue to the log was full.
    [[nodiscard]] std::uint64_t samples_lost() const;

    [[nodiscard]] bool finished() const;

    /// Returns when all flows have ended and all records of sent packets are in the log, which stays open. Call once,
    /// after start(). Outcomes are in the order of the constructor's flows.
    [[nodiscard]] std::vector<FlowOutcome> wait();

    /// Ends the reception and logging of replies, which continue after wait(), and adds the replies to the outcomes of
    /// wait(). The log may be closed afterwards.
    void end_replies(std::vector<FlowOutcome>& outcomes);

    /// How the workers ran. Call after wait().
    [[nodiscard]] PacingFacts pacing() const;

    /// The first error of the log's sink; empty: none.
    [[nodiscard]] std::string log_error() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace groma
