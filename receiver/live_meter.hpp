// The line that a receiver with --live prints per interval: packets received and flows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "common/time/instant.hpp"

namespace groma {

/// Totals of all sessions since the receiver's start, and the state of the active ones.
struct LiveTotals {
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;    ///< of payload
    std::uint64_t missing = 0;  ///< sequence numbers of active flows that have not arrived so far
    std::size_t sessions = 0;
    std::size_t flows = 0;  ///< active flows
};

class LiveMeter {
public:
    explicit LiveMeter(MonoTime start) : last_(start) {}

    /// The line for the time since the last call, or since the start.
    [[nodiscard]] std::string line(const LiveTotals& totals, MonoTime now);

private:
    MonoTime last_;
    LiveTotals before_;
};

}  // namespace groma
