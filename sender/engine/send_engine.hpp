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
#include "common/model/flow/schedule.hpp"
#include "common/net/channel/channel.hpp"
#include "common/os/thread_maker.hpp"
#include "common/stats/fidelity/fidelity.hpp"
#include "common/time/clock.hpp"
#include "sender/engine/pacing_facts.hpp"
#include "sender/engine/payload.hpp"
#include "sender/engine/round_trip.hpp"

namespace groma {

struct FlowToSend {
    FlowSpec spec;
    std::unique_ptr<Channel> channel;
    const Payload* payload = nullptr;  ///< outlives the engine
};

/// Counts while the run goes on, for progress; each is its own atomic, they need not fit together.
struct FlowProgress {
    FlowId flow;
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    bool finished = false;
    std::uint64_t returned = 0;  ///< replies, with the round-trip meter
};

enum class FlowEnd : std::uint8_t {
    complete,     ///< the schedule was sent to its end, or the flow's time was over (`cut_short`)
    interrupted,  ///< stopped by the user or with the run
    failed,       ///< the channel broke: `error` says how
};

/// What became of a flow.
struct FlowOutcome {
    FlowId flow;
    FlowEnd end = FlowEnd::complete;
    std::string error;                 ///< a sentence, when failed
    std::vector<std::string> remarks;  ///< what the kernel refused of the flow's options, or made less of
    Fidelity fidelity;                 ///< counts and bytes among it
    DrawCounts draws;
    std::uint64_t dropped = 0;       ///< packets that the kernel refused for want of memory (ENOBUFS): not sent
    std::uint64_t too_big = 0;       ///< packets that the path cannot carry (EMSGSIZE): not sent
    std::uint64_t refused = 0;       ///< ICMP "port unreachable" and the like reported back on the socket
    std::uint64_t given_up = 0;      ///< packets given up after a second such report in a row: not sent
    std::uint64_t missed_slots = 0;  ///< lateness policy skip: departures whose slot was over: not sent
    /// Departures between the first and the last packet sent that were not sent, whether dropped, too big, given up or
    /// missed.
    std::uint64_t unsent_between = 0;
    Nanos shifted{0};             ///< lateness policy shift: by how much the schedule was shifted in all
    std::uint64_t unstamped = 0;  ///< packets that were sent and whose time of departure, asked for, is not in the log
    /// Of this host's kernel, that lets the packets go ("fq on eth0"); empty: they left when they were sent.
    std::string queue{};
    std::uint64_t held_by_kernel = 0;   ///< packets handed to it ahead of their departures
    std::uint64_t missed_in_queue = 0;  ///< packets that it threw away because their times were over by then
    std::uint64_t blocked = 0;          ///< times that the socket's buffer was full
    /// Packets that were sent but whose record is not known to be in the log: it found no room in the queue, or the log
    /// failed before a flush that would have settled it.
    std::uint64_t records_lost = 0;
    /// The flow was asked for more than the host or the path could carry: departures that were still due a second
    /// after its duration were given up.
    bool cut_short = false;
    std::optional<RoundTrip> round_trip{};  ///< of flows with that meter, once end_replies() was called

    /// Packets that this host could not send, or took and threw away because their departures were over.
    [[nodiscard]] std::uint64_t unsent() const noexcept { return dropped + too_big + given_up + missed_in_queue; }
    /// Whether it came to its end: then what was sent, could not be sent and was missed is all that was asked for.
    [[nodiscard]] bool ran_to_its_end() const noexcept { return end == FlowEnd::complete and not cut_short; }
};

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
    [[nodiscard]] std::optional<MonoTime> next_look() const;
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
