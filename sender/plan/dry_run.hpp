// Prints the packets of an experiment without a network: all departures in order of time, and a summary per flow.
#pragma once

#include <cstdint>
#include <limits>
#include <ostream>

#include "common/model/experiment/experiment.hpp"

namespace groma {

enum class DryRunFormat : std::uint8_t {
    text,        ///< columns: offset, flow, seq, size; then a table of the flows
    json_lines,  ///< objects, one per line: {"flow", "name", "seq", "offset_s", "size"}; then a summary per flow
};

/// Prints departures as they are drawn; memory depends only on the number of flows. A flow stops after
/// `most_packets_per_flow` departures; its summary then has "complete": false. Offsets are seconds from the common
/// start of the run, to the nanosecond. A failed stream ends the output.
void print_dry_run(std::ostream& out, const Experiment& experiment, DryRunFormat format,
                   std::uint64_t most_packets_per_flow = std::numeric_limits<std::uint64_t>::max());

}  // namespace groma
