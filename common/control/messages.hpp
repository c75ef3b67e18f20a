// Messages between a sender and a receiver over the control connection (docs/reference/protocol.md has the state
// diagram). Each message is a 4-byte big-endian length and a JSON object; the reader checks the bounds of every field.
//
//   sender                                   receiver
//                   <------------------------ CallIn       (only a receiver that dials, see docs/guide/nat.md;
//                   KeepAlives follow)
//   AskReverse      <------------------------              (only a client that wants flows sent to it, see
//                                                           docs/guide/reverse.md; another protocol follows)
//   Hello           ------------------------>
//                   <------------------------ Welcome | Refused
//   OpenFlows       ------------------------>             (once or more: at most kMaxFlowsPerMessage in each)
//                   <------------------------ FlowsOpened | Refused
//   ProbeRequest    ------------------------>             (any number, before and after the flows)
//                   <------------------------ ProbeReply
//   Start           ------------------------>             (opens the receiver's log)
//                   <------------------------ Started | Refused
//   KeepAlive       <----------------------->             (both sides, once a second, from Welcome on)
//   ProgressRequest ------------------------>             (any number, from Start on)
//                   <------------------------ ProgressReply
//   Finish          ------------------------>             (what was sent of each flow; the receiver waits for the rest)
//                   <------------------------ ReceiverResults
//   FetchLog        ------------------------>             (any number in a row, if Start said so)
//                   <------------------------ LogSection | Refused
//   RemoveLog       ------------------------>             (at most once, after the last section)
//                   <------------------------ LogRemoved | Refused
//   (connection closed by the sender)
//
//   ResumeFetch     ------------------------>              (only a sender whose connection broke while it fetched)
//                   <------------------------ FetchResumed | Refused       (then as after ReceiverResults)
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/token.hpp"
#include "common/base/wipe.hpp"
#include "common/json/describe.hpp"
#include "common/log/log_shipment.hpp"
#include "common/model/clock_health.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/net/channel/gro.hpp"
#include "common/os/usage.hpp"
#include "common/time/instant.hpp"
#include "common/wire/punch.hpp"

namespace groma {

inline constexpr std::uint32_t kProtocolVersion = 1;
inline constexpr std::uint16_t kDialPort = 9002;  ///< where a sender listens for receivers that dial
inline constexpr std::size_t kMaxMessageBytes = 16U << 20U;
/// Limit before a peer has greeted, and for all messages without lists.
inline constexpr std::size_t kMaxShortMessageBytes = 64U << 10U;
inline constexpr std::size_t kMaxFlowsPerMessage = 1000;

/// The first message on a connection that the receiver has dialled.
struct CallIn {
    std::string program;  ///< "groma-recv 0.1.0"
    std::string name;     ///< its name in the sender's flows
    bool operator==(const CallIn&) const = default;
};

/// The first message of a client that asks a receiver to send. What daemons of senders understand follows on the
/// connection (sender/daemon/daemon_messages.hpp).
struct AskReverse {
    bool operator==(const AskReverse&) const = default;
};

struct Hello {
    std::uint32_t lowest_version = kProtocolVersion;  ///< lowest protocol version that the sender speaks
    std::uint32_t highest_version = kProtocolVersion;
    std::string program;     ///< "groma-send 0.1.0"
    std::string run_id;      ///< 32 hex digits
    std::string experiment;  ///< its name
    std::string host;        ///< the sender's
    std::uint64_t seed = 0;
    bool for_client = false;  ///< a daemon's, for a client that may be another user
    bool operator==(const Hello&) const = default;
};

struct Welcome {
    std::uint32_t version = kProtocolVersion;  ///< the version used from now on
    std::string program;
    std::string host;
    std::string boot_id;
    std::optional<ClockHealth> clock{};  ///< of the receiver's host
    /// Facts about the receiver's host, for people: names and values ("kernel", "cpu", "network device", ...).
    std::map<std::string, std::string> about{};
    bool operator==(const Welcome&) const = default;
};

/// Where the sender awaits a flow of a receiver that dials: a port of the dialled address.
struct DialTarget {
    /// 0: the flow's transport is not dialled; the receiver binds a port as for a sender that reaches it.
    std::uint16_t port = 0;
    PunchToken token{};
    bool operator==(const DialTarget&) const = default;
};

/// The key of a sealed flow (common/wire/packet_format.hpp); wiped when it goes.
struct FlowSecret {
    FlowId flow;
    Token key{};

    ~FlowSecret() { wipe(key); }
    bool operator==(const FlowSecret&) const = default;
};

struct OpenFlows {
    std::vector<FlowSpec> flows;
    std::vector<DialTarget> dial{};     ///< one for each flow when the receiver has called in; empty otherwise
    std::vector<FlowSecret> secrets{};  ///< of the sealed flows, in the order of `flows`
    bool operator==(const OpenFlows&) const = default;
};

struct OpenedFlow {
    FlowId flow;
    std::uint16_t port = 0;  ///< where the flow's packets are awaited; ICMP: its identifier
    std::string warning{};   ///< what the receiver's kernel refused or reduced; empty: none
    bool operator==(const OpenedFlow&) const = default;
};

struct FlowsOpened {
    std::vector<OpenedFlow> flows;  ///< in the order of the request
    bool operator==(const FlowsOpened&) const = default;
};

/// The receiver answers with the same number and its two stamps; T1 and T4 stay with the sender.
struct ProbeRequest {
    std::uint32_t number = 0;
    bool operator==(const ProbeRequest&) const = default;
};

struct ProbeReply {
    std::uint32_t number = 0;
    WallTime received{};  ///< T2
    WallTime answered{};  ///< T3
    bool operator==(const ProbeReply&) const = default;
};

struct Start {
    std::string log_file{};             ///< log in the receiver's log folder (a name, never a path); empty: none
    std::string log_server{};           ///< "HOST:PORT" to ship the receiver's log to; empty: none
    std::string log_transport = "tcp";  ///< "tcp", "udp" or "mpi"; "mpi" has no server address
    std::string log_name{};             ///< of the log on the log server; empty: named after the receiver
    bool discard_log = false;           ///< write the log as usual, but do not keep it
    bool fetch_log = false;             ///< the sender will fetch `log_file` after the results
    bool operator==(const Start&) const = default;
};

struct Started {
    std::string log_file;  ///< the full path of the log on the receiver's host; empty: none
    /// With Start's fetch_log: who has it may go on to fetch the log over another connection.
    std::optional<Token> fetch_token{};
    bool operator==(const Started&) const = default;
};

struct KeepAlive {
    bool operator==(const KeepAlive&) const = default;
};

/// What has arrived so far? The answer has the same number.
struct ProgressRequest {
    std::uint32_t number = 0;
    bool each_flow = false;  ///< not only of all flows together
    bool operator==(const ProgressRequest&) const = default;
};

/// Of one flow, or of all together.
struct ArrivedSoFar {
    std::uint64_t packets = 0;  ///< including copies
    std::uint64_t bytes = 0;
    std::uint64_t missing = 0;  ///< sequence numbers below the highest that have not arrived
    bool operator==(const ArrivedSoFar&) const = default;
};

struct FlowSoFar {
    FlowId flow;
    ArrivedSoFar arrived{};
    bool operator==(const FlowSoFar&) const = default;
};

struct ProgressReply {
    std::uint32_t number = 0;
    Nanos elapsed{0};  ///< since Started, by the receiver's clock
    ArrivedSoFar all{};
    std::vector<FlowSoFar>
        flows{};  ///< in the order of the requests; empty: not asked for, or over kMaxFlowsPerMessage
    bool operator==(const ProgressReply&) const = default;
};

struct SentFlow {
    FlowId flow;
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;
    bool operator==(const SentFlow&) const = default;
};

struct Finish {
    bool interrupted = false;  ///< the user stopped the run
    Nanos wait{0};             ///< for packets still on their way, at most (0 to 60 s)
    std::vector<SentFlow> flows;
    bool operator==(const Finish&) const = default;
};

/// The receiver's kernel was allowed to coalesce a flow's packets (GRO): several share one time of arrival.
struct Coalescing {
    std::uint64_t packets = 0;  ///< that share their time of arrival
    WallTime since{};           ///< on the receiver's clock
    GroReason why = GroReason::asked_for;
    bool operator==(const Coalescing&) const = default;
};

/// One-way delays of the first copies that carry the time of their departure, on two clocks: the receiver's at the
/// arrival less the sender's at the departure. All but `min` are less the smallest: no clock's offset is in them.
struct ArrivalDelays {
    std::uint64_t packets = 0;  ///< 0: the rest has no meaning
    Nanos min{0};
    Nanos p025{0};  ///< percentile 2.5
    Nanos p50{0};
    Nanos p90{0};
    Nanos p975{0};
    Nanos p99{0};
    Nanos p999{0};
    Nanos max{0};
    double mean_ns = 0;
    double deviation_ns = 0;            ///< n - 1
    std::optional<double> jitter_ns{};  ///< the mean of RFC 3550's J; empty: no two delays of a flow
    bool operator==(const ArrivalDelays&) const = default;
};

struct ReceivedFlow {
    FlowId flow;
    std::uint64_t packets = 0;  ///< duplicates included
    std::uint64_t bytes = 0;    ///< of payload
    std::uint64_t duplicates = 0;
    std::uint64_t reordered = 0;
    std::uint64_t foreign = 0;
    std::uint64_t malformed = 0;
    std::uint64_t kernel_drops = 0;
    std::uint64_t records_lost = 0;  ///< packets missing in the receiver's log although one was asked for
    std::uint64_t replies = 0;       ///< round-trip meter: packets sent back
    std::uint64_t replies_lost = 0;  ///< packets that could not be sent back
    std::string state;               ///< "ok", or what went wrong: "connection reset", ...
    std::optional<Coalescing> coalescing{};
    WallTime first_arrival{};  ///< the earliest and the latest, on the receiver's clock; 1970 without packets
    WallTime last_arrival{};
    std::uint64_t unstamped = 0;    ///< packets that lack the stamp of a kernel or hardware that others have
    std::uint64_t numbers_end = 0;  ///< one more than the highest number that arrived
    std::uint64_t forged = 0;       ///< packets of a sealed flow whose seal is wrong, or lacks: none of the others
    /// Empty: no packet had any, the times are those of an interface, or the session has very many flows.
    std::optional<ArrivalDelays> delays{};
    bool operator==(const ReceivedFlow&) const = default;
};

struct ReceiverResults {
    std::vector<ReceivedFlow> flows;
    std::string log_error;                  ///< why the receiver's log is incomplete; empty: it is complete
    LogShipment shipment{};                 ///< of the receiver's log
    std::optional<CpuUsage> usage{};        ///< of the receiver's process since the run began
    std::optional<ArrivalDelays> delays{};  ///< of all flows together
    bool operator==(const ReceiverResults&) const = default;
};

/// Bytes of the log in each section but the last. Short enough for the thread that serves all sessions.
inline constexpr std::size_t kLogSectionBytes = 512U << 10U;

/// Asks for one section of the receiver's log of this session.
struct FetchLog {
    std::uint64_t offset = 0;  ///< a multiple of kLogSectionBytes
    bool operator==(const FetchLog&) const = default;
};

struct LogSection {
    std::uint64_t offset = 0;
    std::uint64_t log_bytes = 0;  ///< of the whole log
    std::uint64_t hash = 0;       ///< RunningHash of the log up to the end of this section
    std::vector<std::byte> bytes{};
    bool operator==(const LogSection&) const = default;
};

/// The sender has all of the log, and wants no copy at the receiver.
struct RemoveLog {
    bool operator==(const RemoveLog&) const = default;
};

struct LogRemoved {
    bool operator==(const LogRemoved&) const = default;
};

/// The first message of a sender whose connection broke while it fetched a log, and which goes on with that.
struct ResumeFetch {
    Token token{};
    bool operator==(const ResumeFetch&) const = default;
};

struct FetchResumed {
    bool operator==(const FetchResumed&) const = default;
};

/// The receiver does not go on, and closes the connection afterwards.
struct Refused {
    std::string reason;  ///< a sentence that the user can act on
    std::optional<FlowId> flow;
    bool operator==(const Refused&) const = default;
};

using Message = std::variant<Hello, Welcome, OpenFlows, FlowsOpened, ProbeRequest, ProbeReply, Start, Started,
                             KeepAlive, Finish, ReceiverResults, Refused, CallIn, AskReverse, FetchLog, LogSection,
                             RemoveLog, LogRemoved, ProgressRequest, ProgressReply, ResumeFetch, FetchResumed>;

// JSON of message parts that other messages share.
template <typename Fields>
void describe(Fields& fields, As<Fields, ArrivalDelays>& delays);
template <typename Fields>
void describe(Fields& fields, As<Fields, ReceivedFlow>& flow);
template <typename Fields>
void describe(Fields& fields, As<Fields, LogSection>& section);
template <typename Fields>
void describe(Fields& fields, As<Fields, LogShipment>& shipment);
template <typename Fields>
void describe(Fields& fields, As<Fields, CpuUsage>& usage);

/// 32 lower-case hexadecimal digits.
[[nodiscard]] bool is_run_id(std::string_view id);

/// The JSON text of a message, without its length.
[[nodiscard]] std::string serialize(const Message& message);

/// Throws: ProtocolError(peer, ...) for anything but a message of this version: bad JSON, unknown type, missing or
/// oversized fields. The text is untrusted.
[[nodiscard]] Message parse_message(std::string_view text, const std::string& peer);

/// The name of a message's type on the wire: "hello", "open_flows", ...
[[nodiscard]] std::string_view type_name(const Message& message);

}  // namespace groma
