// A flow in the engine: its input, its progress and its outcome.
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
    std::optional<MacKey> seal{};      ///< of a sealed flow
};

/// Counts during the run, for progress. Each is a separate atomic; they may be inconsistent with each other.
struct FlowProgress {
    FlowId flow;
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    bool finished = false;
    std::uint64_t returned = 0;  ///< replies, with the round-trip meter
    // Of a connection, where asked for.
    std::optional<std::uint64_t> retransmitted{};  ///< segments or chunks
    std::optional<Nanos> rtt{};                    ///< smoothed
};

enum class FlowEnd : std::uint8_t {
    complete,     ///< the schedule was sent completely, or the flow's time was over (`cut_short`)
    interrupted,  ///< stopped by the user or with the run
    failed,       ///< the channel failed: see `error`
};

/// Counts of the flow's packets by result.
struct SendCounts {
    FlowEnd end = FlowEnd::complete;
    /// The flow requested more than the host or the path can carry: departures still due one second after its duration
    /// were given up.
    bool cut_short = false;
    std::uint64_t dropped = 0;       ///< packets that the kernel refused for lack of memory (ENOBUFS): not sent
    std::uint64_t too_big = 0;       ///< packets that the path cannot carry (EMSGSIZE): not sent
    std::uint64_t refused = 0;       ///< ICMP "port unreachable" and similar reports on the socket
    std::uint64_t given_up = 0;      ///< packets given up after two such reports in a row: not sent
    std::uint64_t missed_slots = 0;  ///< lateness policy skip: departures whose slot has passed: not sent
    /// Unsent departures between the first and the last packet sent: dropped, too big, given up or missed.
    std::uint64_t unsent_between = 0;
    Nanos shifted{0};                   ///< lateness policy shift: total shift of the schedule
    std::uint64_t unstamped = 0;        ///< packets sent whose requested transmit stamp is not in the log
    std::uint64_t unnumbered = 0;       ///< packets sent without a sequence number: too small, or of a flow without
    std::uint64_t held_by_kernel = 0;   ///< packets passed to the kernel's queue before their departures
    std::uint64_t missed_in_queue = 0;  ///< packets that the queue dropped because their times had passed
    std::uint64_t blocked = 0;          ///< times that the socket's buffer was full
    std::optional<std::uint64_t> retransmitted{};  ///< segments or chunks that the transport sent again; empty: unknown
    /// Packets sent whose record may be missing in the log: the queue was full, or the log failed before a successful
    /// flush.
    std::uint64_t records_lost = 0;

    /// Packets that this host could not send, or dropped because their departures had passed.
    [[nodiscard]] std::uint64_t unsent() const noexcept { return dropped + too_big + given_up + missed_in_queue; }
    /// Whether the schedule completed: then sent, unsent and missed packets add up to all requested ones.
    [[nodiscard]] bool ran_to_its_end() const noexcept { return end == FlowEnd::complete and not cut_short; }
};

/// Adds `part` as if both were one flow's; takes the larger shift. Keeps the end of `sum`.
void add(SendCounts& sum, const SendCounts& part) noexcept;

/// The outcome of a flow.
struct FlowOutcome {
    FlowId flow;
    SendCounts counts;
    std::string error;                  ///< a sentence, when failed
    std::vector<std::string> warnings;  ///< options that the kernel refused or reduced, sizes beyond the path's MTU
    Fidelity fidelity;                  ///< counts and bytes among it
    DrawCounts draws;
    std::string queue;                    ///< the kernel's queue that times the packets ("fq on eth0"); empty: none
    std::optional<RoundTrip> round_trip;  ///< for flows with that meter, after end_replies()
    std::optional<ConnectionSample> connection{};  ///< its state at the end; empty: it has none
    std::optional<SendLimits> limits{};            ///< in the total of all that tell theirs
    LogHistogram late_rtt_ns{};  ///< the transport's smoothed round-trip times at the end of the load (LateRtts)
};

}  // namespace groma
