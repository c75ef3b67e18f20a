// How long a program waits for its peers, and how often it says that it lives itself: all of it is here. Each object
// that waits is given its part. --timeout of every program that talks over the network stretches the waits together.
#pragma once

#include <chrono>
#include <string_view>

#include "common/time/instant.hpp"

namespace groma {

/// Of control sessions (docs/reference/protocol.md), of groma-send --via and its daemon (docs/guide/daemon.md), and of
/// a run's flows.
struct SessionTimes {
    Nanos silence = std::chrono::seconds(4);     ///< a peer that is not heard for so long is dead
    Nanos greeting = std::chrono::seconds(5);    ///< for a peer that has connected to greet
    Nanos starting = std::chrono::minutes(5);    ///< from the greeting to the start, and from the results to the end
    Nanos lookup = std::chrono::seconds(8);      ///< for a name server to say where a host is
    Nanos connecting = std::chrono::seconds(5);  ///< for a connection to be made, a flow's as well
    Nanos farewell = std::chrono::seconds(1);    ///< for a peer to close its side after the last message
    /// For an answer that needs no waiting by the receiver; opening thousands of flows takes it a while.
    Nanos answer = std::chrono::seconds(10);
    Nanos answer_per_flow = std::chrono::microseconds(500);
    /// A receiver closes its log before it sends its results, and may have to wait for a log server.
    Nanos results = std::chrono::seconds(60);
    Nanos meeting = std::chrono::seconds(15);  ///< for receivers that have called in to dial their flows
    Nanos token = std::chrono::seconds(5);     ///< for a connection of such a flow to show its token

    // The pace of this side, whatever it waits for: no --timeout changes it, so that peers may have different ones.
    Nanos keep_alive = std::chrono::seconds(1);          ///< between two signs of life
    Nanos first_pause = std::chrono::milliseconds(500);  ///< between two calls of a sender; doubled each time
    Nanos longest_pause = std::chrono::seconds(5);
};

/// Of logs on their way to a log server (docs/reference/log-protocol.md, docs/reference/log-udp.md).
struct ShippingTimes {
    Nanos connecting = std::chrono::seconds(5);  ///< for one attempt to make a connection
    Nanos opening = std::chrono::seconds(10);    ///< for a log to be opened
    Nanos patience = std::chrono::seconds(30);   ///< at the end of a log, without any progress
    Nanos farewell = std::chrono::seconds(2);    ///< at the end of a shipper whose logs were left, without any progress
    Nanos silence = std::chrono::seconds(60);    ///< with nothing heard or sent: the connection is made again
    Nanos unanswered = std::chrono::seconds(10);  ///< with nothing acknowledged below the log protocol: the same

    // As above, not changed by --timeout.
    Nanos keep_alive = std::chrono::seconds(3);         ///< over UDP: asks whether the server is there after so long
    Nanos first_pause = std::chrono::milliseconds(50);  ///< between attempts; doubled each time
    Nanos longest_pause = std::chrono::seconds(2);
};

/// Of a log server.
struct LogServerTimes {
    Nanos greeting = std::chrono::seconds(10);    ///< until the first log is opened
    Nanos silence = std::chrono::minutes(5);      ///< until the next frame has come whole; a writer may come back later
    Nanos unanswered = std::chrono::seconds(30);  ///< with nothing heard below the log protocol: the shipper is gone
    Nanos writing = std::chrono::seconds(10);     ///< for an answer to be taken
    Nanos farewell = std::chrono::seconds(2);     ///< for a refused peer to read why
};

/// Of rank 0 of an MPI job, for its ranks (docs/guide/mpi.md).
struct JobTimes {
    Nanos prepared = std::chrono::seconds(20);
    Nanos ready = std::chrono::seconds(40);        ///< a sender that is about to fail says so itself before this
    Nanos end = std::chrono::seconds(60);          ///< of each step, when all went well: logs may still be on their way
    Nanos end_of_logs = std::chrono::seconds(20);  ///< of the log server, after the end of those that ship to it
    Nanos failed_end = std::chrono::seconds(2);    ///< of each step, after something failed
    Nanos file = std::chrono::seconds(20);         ///< for a piece of a file of another rank's disk
    Nanos ping = std::chrono::seconds(1);
};

struct TimeLimits {
    SessionTimes session;
    ShippingTimes shipping;  ///< of a sender's log
    /// Of a receiver's log: its sender waits for SessionTimes::answer and ::results until it is opened and shipped.
    ShippingTimes receiver_shipping{.opening = std::chrono::seconds(8), .patience = std::chrono::seconds(10)};
    LogServerTimes log_server;
    JobTimes job;

    /// Those of a peer that may be silent for `timeout`: all other waits are longer or shorter in the same proportion.
    [[nodiscard]] static TimeLimits with_timeout(Nanos timeout);
};

/// What --timeout does, for --help and the man pages.
inline constexpr std::string_view kTimeoutHelp =
    "give up a peer that has been silent for so long, 2s to 1h; all other waits for peers are stretched or shortened "
    "in the same proportion (default: 4s)";
inline constexpr std::string_view kTimeoutMore =
    "Each program has its own timeout: on a slow host or path give the same to all.";

/// The value of --timeout. Throws: UsageError.
[[nodiscard]] Nanos parse_timeout(std::string_view text);

}  // namespace groma
