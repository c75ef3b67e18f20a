// What a flow is to send: a value to compare, print, parse, send over the control channel and keep in a log. The same
// spec and seed give the same departures on any machine.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/ids.hpp"
#include "common/base/units.hpp"
#include "common/model/distributions/distribution.hpp"
#include "common/model/flow/rate_over_time.hpp"
#include "common/model/transport/transport.hpp"
#include "common/model/transport/transport_options.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// How much of the packet header a packet carries, if large enough.
enum class HeaderLevel : std::uint8_t { full, sequence, none };

/// Whether packets carry a seal (common/wire/packet_format.hpp); `automatic`: if the control session is under a key.
enum class Sealing : std::uint8_t { automatic, on, off };

/// What is measured: the way to the receiver, or the round trip, for which the receiver sends each packet back.
enum class Meter : std::uint8_t { one_way, round_trip };

/// Who sends: whoever runs the experiment, the host that the flow names as its other end, or each of the two (two
/// flows, once the experiment is read).
enum class Direction : std::uint8_t { forward, reverse, both };

/// A flow's destination. Names are resolved when the run is planned, not here.
struct Target {
    std::string host;                        ///< a name or an address literal, without brackets
    std::uint16_t control_port = 9000;       ///< where the receiver daemon listens
    std::optional<std::uint16_t> data_port;  ///< the user's choice; otherwise the receiver's
    bool operator==(const Target&) const = default;
};

/// ON and OFF periods alternate, starting with ON; distributions in nanoseconds. Packets leave in ON time only: the
/// departure process runs on the clock of the ON periods, and OFF periods are inserted between them.
struct OnOff {
    Distribution on;
    Distribution off;
    bool operator==(const OnOff&) const = default;
};

/// The first rule to fire ends the flow. A parsed spec has at least one.
struct StopRule {
    std::optional<Nanos> duration;  ///< departures at or after this offset from the flow's own start are not sent
    std::optional<std::uint64_t> packets;  ///< this number of packets
    std::optional<Bytes> bytes;            ///< the last packet is the one that reaches this number of payload bytes
    bool operator==(const StopRule&) const = default;
};

/// What to do with departures that could not leave on time (docs/design/pacing.md).
enum class LatenessPolicy : std::uint8_t {
    catch_up,  ///< send all at once: keeps the mean rate
    skip,      ///< do not send those whose slot is over; count them as missed
    shift,     ///< send all, and delay later ones as much: keeps the gaps, not the rate
};

/// The most packets that may wait for replies in a closed loop.
inline constexpr std::uint32_t kMostInFlight = 256;
/// More that are drawn for a connection (FlowSpec::requests_per_connection) become so many.
inline constexpr std::uint32_t kMostRequestsPerConnection = 1'000'000'000;

struct FlowSpec {
    FlowId id;
    std::string name;     ///< for people; unique in an experiment
    std::string profile;  ///< the application profile that it came from, or empty
    Transport transport = Transport::udp;
    TransportOptions options;
    Target target;
    Distribution idt = Constant{1e6};  ///< inter-departure times, nanoseconds
    /// The rate, if it changes with time; `idt` is then that of its peak.
    std::optional<RateOverTime> rate_over_time{};
    Distribution size = Constant{512};  ///< payload sizes, bytes
    std::optional<OnOff> on_off;
    StopRule stop;
    Nanos start_delay{0};  ///< from the common start of the run
    HeaderLevel header = HeaderLevel::full;
    Sealing seal = Sealing::automatic;  ///< of a flow that is sent: it is sealed if `on`
    Meter meter = Meter::one_way;
    /// Sizes of the receiver's replies (round-trip meter), bytes, drawn in the order of its packets' arrival; nothing:
    /// each is as large as its packet.
    std::optional<Distribution> response{};
    /// Of a closed loop: so many packets wait for their replies at most, and the next one leaves when one of them comes
    /// (`idt` is Greedy); 0: departures do not wait for replies.
    std::uint32_t in_flight = 0;
    /// And how long after it, nanoseconds; nothing: at once.
    std::optional<Distribution> think{};
    /// For how long it waits for a reply before the next packet leaves all the same; nothing: as RequestWindow does.
    std::optional<Nanos> response_timeout{};
    /// How many packets each of its connections takes, one connection after the other; nothing: one takes all.
    std::optional<Distribution> requests_per_connection{};
    Direction direction = Direction::forward;
    LatenessPolicy lateness = LatenessPolicy::catch_up;
    /// What fills packets after the header: "", "zero", "random", "pattern:HEX", "file:PATH" or "pcap:PATH". Only the
    /// sender uses the path (sender/engine/payload.hpp).
    std::string payload{};
    /// The receivers of a multicast flow after the first, which is the target.
    std::vector<Target> also_to{};
    std::uint64_t seed = 1;  ///< of the run; each flow and process derives its own stream from it and its id
    Generator generator = Generator::unit_53;  ///< how draws come from the seed; of older specs unit_32
    /// Source and destination host by their names in the experiment file, or empty. They stay with the experiment:
    /// neither the receiver nor the log gets them.
    std::string from_host{};
    std::string to_host{};
    bool operator==(const FlowSpec&) const = default;
};

/// Whether its packets are requests, each with a response: in a closed loop, or of the receiver's own sizes.
[[nodiscard]] inline bool has_transactions(const FlowSpec& spec) noexcept {
    return spec.in_flight > 0 or spec.response.has_value();
}

}  // namespace groma
