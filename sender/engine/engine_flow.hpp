// A flow in the engine: what it is given, how far it is, what became of it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/model/flow/flow_spec.hpp"
#include "common/model/flow/schedule.hpp"
#include "common/net/channel/channel.hpp"
#include "common/stats/fidelity/fidelity.hpp"
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

/// What became of its packets.
struct SendCounts {
    FlowEnd end = FlowEnd::complete;
    /// The flow was asked for more than the host or the path could carry: departures that were still due a second
    /// after its duration were given up.
    bool cut_short = false;
    std::uint64_t dropped = 0;       ///< packets that the kernel refused for want of memory (ENOBUFS): not sent
    std::uint64_t too_big = 0;       ///< packets that the path cannot carry (EMSGSIZE): not sent
    std::uint64_t refused = 0;       ///< ICMP "port unreachable" and the like reported back on the socket
    std::uint64_t given_up = 0;      ///< packets given up after a second such report in a row: not sent
    std::uint64_t missed_slots = 0;  ///< lateness policy skip: departures whose slot was over: not sent
    /// Departures between the first and the last packet sent that were not sent, whether dropped, too big, given up or
    /// missed.
    std::uint64_t unsent_between = 0;
    Nanos shifted{0};                   ///< lateness policy shift: by how much the schedule was shifted in all
    std::uint64_t unstamped = 0;        ///< packets sent whose time of departure, asked for, is not in the log
    std::uint64_t held_by_kernel = 0;   ///< packets handed to its queue ahead of their departures
    std::uint64_t missed_in_queue = 0;  ///< packets that it threw away because their times were over by then
    std::uint64_t blocked = 0;          ///< times that the socket's buffer was full
    /// Packets that were sent but whose record is not known to be in the log: it found no room in the queue, or the log
    /// failed before a flush that would have settled it.
    std::uint64_t records_lost = 0;

    /// Packets that this host could not send, or took and threw away because their departures were over.
    [[nodiscard]] std::uint64_t unsent() const noexcept { return dropped + too_big + given_up + missed_in_queue; }
    /// Whether it came to its end: then what was sent, could not be sent and was missed is all that was asked for.
    [[nodiscard]] bool ran_to_its_end() const noexcept { return end == FlowEnd::complete and not cut_short; }
};

/// As if both were one flow's: sums, and of shifts the larger. The end stays that of `sum`.
void add(SendCounts& sum, const SendCounts& part) noexcept;

/// What became of a flow.
struct FlowOutcome {
    FlowId flow;
    SendCounts counts;
    std::string error;                  ///< a sentence, when failed
    std::vector<std::string> warnings;  ///< what the kernel refused of the flow's options, or made less of
    Fidelity fidelity;                  ///< counts and bytes among it
    DrawCounts draws;
    std::string queue;                    ///< of the kernel, that lets the packets go ("fq on eth0"); empty: none
    std::optional<RoundTrip> round_trip;  ///< of flows with that meter, once end_replies() was called
};

}  // namespace groma
