// A flow while its logs are being read.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "common/log/run_metadata.hpp"
#include "decoder/analysis/connection_analyzer.hpp"
#include "decoder/analysis/received_analyzer.hpp"
#include "decoder/analysis/round_trip_analyzer.hpp"
#include "decoder/analysis/sent_analyzer.hpp"
#include "decoder/analysis/transmit_analyzer.hpp"
#include "decoder/results/clock_state.hpp"
#include "decoder/results/measured.hpp"
#include "decoder/results/selection.hpp"
#include "decoder/results/time_series.hpp"

namespace groma {

class LogTally;

/// Stays where it is: the analyzers refer to the series.
struct FlowAnalysis {
    FlowAnalysis(const FlowSpec& flow, std::shared_ptr<SeriesInterval> interval)
        : spec(flow), kept_series(std::make_shared<TimeSeries>(std::move(interval))), series(*kept_series) {
        series.begin_flow_at(flow.start_delay);
    }
    FlowAnalysis(const FlowAnalysis&) = delete;
    FlowAnalysis& operator=(const FlowAnalysis&) = delete;
    ~FlowAnalysis() = default;

    FlowSpec spec;
    Selection selection;                      ///< of the packets
    std::optional<double> bottleneck_bps;     ///< as of AnalysisOptions
    bool thorough = false;                    ///< likewise
    std::shared_ptr<TimeSeries> kept_series;  ///< the results go on with it
    TimeSeries& series;
    ClockState clock;
    std::unique_ptr<SentAnalyzer> sent;          ///< with the sender's log
    std::unique_ptr<ReceivedAnalyzer> received;  ///< with the receiver's log
    const LogTally* sender_log = nullptr;
    const LogTally* receiver_log = nullptr;
    WallTime receiver_start{};                                ///< of the run, on the receiver's clock
    std::string receiver_address;                             ///< of its data socket
    bool shares_a_socket = false;                             ///< with other flows at the receiver
    std::string data_address;                                 ///< of either side's: the family of addresses
    std::unique_ptr<RoundTripAnalyzer> returned;              ///< of a flow that is sent back
    std::unique_ptr<TransmitAnalyzer> transmitted;            ///< of a flow with transmit stamps
    std::unique_ptr<ConnectionAnalyzer> sender_connection;    ///< once there was a sample
    std::unique_ptr<ConnectionAnalyzer> receiver_connection;  ///< likewise
    ArrivalHeaderFigures arrival_header;

    /// The same flow at its other receivers, with their side only; their series have its departures at the end.
    std::vector<std::unique_ptr<FlowAnalysis>> further;

    /// Where the records of that receiver's log belong; null: not here.
    [[nodiscard]] FlowAnalysis* at(const LogTally& receiver);
};

using FlowAnalyses = std::map<FlowId, std::unique_ptr<FlowAnalysis>>;

}  // namespace groma
