// What may be done under a key on a host, at most (docs/guide/keys.md#limits). Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/access/load.hpp"
#include "common/base/units.hpp"
#include "common/model/transport/port_range.hpp"
#include "common/net/socket/networks.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// Nothing: as much as the daemon itself allows.
struct Limits {
    std::optional<std::uint64_t>
        sessions{};  ///< sessions of a receiver, or runs of a daemon, at once; the next three are sums over these
    std::optional<std::uint64_t> flows{};
    std::optional<double> packets_per_s{};
    std::optional<double> bits_per_s{};  ///< of their payload
    std::optional<Nanos> duration{};     ///< of each, from the start to the end of the last flow
    Networks to{};                       ///< where this host sends; empty: to any host, and to no multicast group
    std::optional<PortRange> ports{};    ///< to which it sends; nothing: kUsualPorts
    std::optional<Bytes> log_bytes{};    ///< of all logs of the key
    std::optional<Bytes> spool_bytes{};  ///< that these take in the spool

    bool operator==(const Limits&) const = default;
};

/// No privileged ones.
inline constexpr PortRange kUsualPorts{.first = 1024, .last = 65535};

/// "flows=100,rate=10kpps,rate=1Gbps,to=10.0.0.0/8+239.1.0.0/16". Throws: UsageError.
[[nodiscard]] Limits parse_limits(std::string_view text);
[[nodiscard]] std::string to_string(const Limits& limits);

/// Which limit the load exceeds with what is under way beside it, as "at most 100 flows at once (flows=100), and this
/// asks for 60 beside 50 that are there"; empty: none.
[[nodiscard]] std::string excess_in_words(const Limits& limits, const Load& load, const Load& beside);

/// Which limit keeps `used` bytes of logs from growing, likewise. Requires: log_bytes.
[[nodiscard]] std::string fullness_in_words(const Limits& limits, Bytes used);

/// The same of a spool. Requires: spool_bytes.
[[nodiscard]] std::string spool_fullness_in_words(const Limits& limits);

/// Why the flow may not go to this address and port, likewise; empty: it may. `address` may be a multicast group.
[[nodiscard]] std::string misdirection_in_words(const Limits& limits, const SocketAddress& address);

}  // namespace groma
