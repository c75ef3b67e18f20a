// Before a log's records are read: which of its flows are looked at, and the analyzers that take their records.
#pragma once

#include <memory>

#include "decoder/analysis/flow_analysis.hpp"
#include "decoder/analysis/log_tally.hpp"
#include "decoder/analysis/run_analysis.hpp"
#include "decoder/logs/catalogue.hpp"
#include "decoder/results/selection.hpp"

namespace groma {

/// What there is to know of a run before its records are read.
struct Expected {
    const RunLogs& logs;
    const AnalysisOptions& options;
    const Selection& selection;
    std::shared_ptr<SeriesInterval> interval = std::make_shared<SeriesInterval>(options.interval);  ///< of all flows
};

/// Of a sender's log. The log outlives the flows.
void expect_departures(const LogTally& log, const Expected& expected, FlowAnalyses& flows);

/// Of flows that are sent back, after their departures: reads the log's probes, which relate the clocks. Throws: what
/// LogSource::read throws.
void expect_returns(const CataloguedLog& log, const Expected& expected, FlowAnalyses& flows);

/// Of a receiver's log, when those of all senders were read. The log outlives the flows.
void expect_arrivals(const LogTally& log, const Expected& expected, FlowAnalyses& flows);

}  // namespace groma
