// What an experiment would send, without a network: all departures in order of time, and a summary of each flow.
#pragma once

#include <cstdint>
#include <limits>
#include <ostream>

#include "common/model/experiment/experiment.hpp"

namespace groma {

enum class DryRunFormat : std::uint8_t {
    text,        ///< a column each for offset, flow, seq and size; then a table of the flows
    json_lines,  ///< an object a line: {"flow", "name", "seq", "offset_s", "size"}; then a summary object a flow
};

/// Prints departures as they are drawn; the memory needed depends on the number of flows only. A flow that has more
/// than `most_packets_per_flow` departures is cut there, and its summary says so ("complete": false). Offsets are
/// seconds from the common start of the run, to the nanosecond. A stream that fails ends the output early.
void print_dry_run(std::ostream& out, const Experiment& experiment, DryRunFormat format,
                   std::uint64_t most_packets_per_flow = std::numeric_limits<std::uint64_t>::max());

}  // namespace groma
