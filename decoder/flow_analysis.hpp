// A flow while its logs are being read.
#pragma once

#include <map>
#include <memory>

#include "common/log/run_metadata.hpp"
#include "decoder/clock_state.hpp"
#include "decoder/received_analyzer.hpp"
#include "decoder/sent_analyzer.hpp"
#include "decoder/time_series.hpp"

namespace groma {

class LogTally;

/// Stays where it is: the analyzers refer to the series.
struct FlowAnalysis {
    FlowAnalysis(const FlowSpec& flow, Nanos interval) : spec(flow), series(interval) {}
    FlowAnalysis(const FlowAnalysis&) = delete;
    FlowAnalysis& operator=(const FlowAnalysis&) = delete;
    ~FlowAnalysis() = default;

    FlowSpec spec;
    TimeSeries series;
    ClockState clock;
    std::unique_ptr<SentAnalyzer> sent;          ///< with the sender's log
    std::unique_ptr<ReceivedAnalyzer> received;  ///< with the receiver's log
    const LogTally* sender_log = nullptr;
    const LogTally* receiver_log = nullptr;
};

using FlowAnalyses = std::map<FlowId, std::unique_ptr<FlowAnalysis>>;

}  // namespace groma
