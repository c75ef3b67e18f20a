// The results of `groma-dec fit`, as the reports print them (docs/guide/fit.md).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/model/transport/transport.hpp"
#include "common/stats/fit/packet_counts.hpp"
#include "common/stats/fit/process_fit.hpp"
#include "common/wire/flow_packet.hpp"

namespace groma {

/// A file that packets came from.
struct FitSource {
    std::string name;        ///< as the user wrote it
    std::string kind;        ///< "capture", "sender's log" or "receiver's log"
    std::uint64_t seen = 0;  ///< frames or records
    std::uint64_t used = 0;  ///< packets of flows
    std::uint64_t bare = 0;  ///< packets without payload that were left out: acknowledgements, handshakes
    std::array<std::uint64_t, kNoFlowKinds> left_out{};  ///< frames, by NoFlow
    std::uint64_t flowless = 0;                          ///< packets of flows beyond the limit
};

struct TrafficFit {
    std::uint32_t number = 0;  ///< from 1, in the order in which flows appeared
    std::string source;
    std::string name;
    Transport transport = Transport::udp;
    bool reverse = false;  ///< the other direction of a flow that appeared before, or a log says so
    std::uint64_t packets = 0;
    std::uint64_t bytes = 0;  ///< of payload
    std::int64_t first_ns = 0;
    double duration_s = 0;                    ///< first to last packet
    std::optional<double> packet_rate_pps{};  ///< (packets - 1) / duration
    std::optional<double> bit_rate_bps{};     ///< that times the mean size, of payload
    ProcessFit gaps;
    ProcessFit sizes;
    CountFigures counts;
    std::vector<std::string> notes{};  ///< a sentence each
};

struct FitResults {
    std::vector<FitSource> sources;
    std::vector<TrafficFit> traffic;  ///< by number
    std::uint64_t flows = 0;          ///< in all
    std::uint64_t too_few = 0;        ///< of them, with fewer packets than asked for
    std::uint64_t beyond_top = 0;     ///< of them, with enough, but not among the largest
    std::vector<std::string> warnings;
    bool damaged = false;  ///< a file is damaged or cut short
};

/// "fragments of IP datagrams", ... in the order of NoFlow.
[[nodiscard]] const std::array<const char*, kNoFlowKinds>& names_of_left_out();

}  // namespace groma
