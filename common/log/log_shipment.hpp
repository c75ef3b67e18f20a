// How a log travelled to its log server: for reports.
#pragma once

#include <cstdint>
#include <string>

namespace groma {

struct LogShipment {
    std::string to;                   ///< "log server 10.0.0.3:9001 (tcp) as voip-1a2b3c4d/sender"; empty: not shipped
    std::uint64_t reconnections = 0;  ///< connections made after one was lost
    std::uint64_t largest_backlog = 0;  ///< bytes not confirmed by the server, at most
    std::uint64_t not_spooled = 0;      ///< pieces kept in memory for a while because the spool was full
    std::string error;                  ///< what delayed it: the server's reason, the spool's; empty: none
    bool operator==(const LogShipment&) const = default;
};

}  // namespace groma
