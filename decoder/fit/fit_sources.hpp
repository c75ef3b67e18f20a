// Where the packets to be fitted come from: captures and logs.
#pragma once

#include <string>

#include "common/wire/flow_packet.hpp"
#include "decoder/fit/fit_meter.hpp"
#include "decoder/fit/fit_options.hpp"
#include "decoder/fit/fit_results.hpp"

namespace groma {

/// "10.0.0.1:5000 > 10.0.0.2:9000", "[fd99::1]:5000 > [fd99::2]:9000", "10.0.0.1 > 10.0.0.2 echo request 77".
[[nodiscard]] std::string flow_name(const FlowKey& key);

/// Reads a file to its end and recognises its kind. Its packets go to `meter`, sources and warnings to `results`. A
/// sender's log gives departures, a receiver's arrivals. Damage is reported, and the readable part counts. Throws:
/// RunError, SystemError, ParseError, UsageError when nothing of it can be read.
void read_traffic(const std::string& file, const FitOptions& options, TrafficMeter& meter, FitResults& results);

}  // namespace groma
