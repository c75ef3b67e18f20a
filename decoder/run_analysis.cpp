#include "decoder/run_analysis.hpp"

#include <algorithm>

#include "common/base/errors.hpp"
#include "common/time/difference.hpp"
#include "decoder/clock_relation.hpp"
#include "decoder/conclusions.hpp"

namespace groma {

namespace {

using Tallies = std::vector<std::unique_ptr<LogTally>>;

bool wanted(FlowId flow, const AnalysisOptions& options) {
    return options.flows.empty() or options.flows.contains(flow);
}

FlowAnalysis& analysis_of(const FlowSpec& spec, const AnalysisOptions& options, FlowAnalyses& flows) {
    auto& flow = flows[spec.id];
    if (flow == nullptr) {
        flow = std::make_unique<FlowAnalysis>(spec, options.interval);
    }
    return *flow;
}

void expect_departures(const LogTally& log, bool keep_times, const AnalysisOptions& options, FlowAnalyses& flows) {
    const RunMetadata& metadata = log.metadata();
    for (const auto& setup : metadata.flows) {
        if (wanted(setup.spec.id, options)) {
            FlowAnalysis& flow = analysis_of(setup.spec, options, flows);
            flow.sender_log = &log;
            flow.sent = std::make_unique<SentAnalyzer>(setup.spec, metadata.started_at, keep_times, flow.series);
        }
    }
}

ArrivalTimes arrival_times(const FlowAnalysis& flow, const RunMetadata& receiver) {
    ArrivalTimes times{.start = receiver.started_at, .sender_start = {}, .offset = {}, .sent_times = nullptr};
    if (flow.sender_log != nullptr) {
        times.sender_start = flow.sender_log->metadata().started_at;
        times.sent_times = &flow.sent->times();
    }
    if (flow.clock.absolute()) {
        times.offset = flow.clock.offset;
        // The sender's clock is the run's; what the receiver knew of its start was an estimate from fewer probes.
        times.start = moved(*times.sender_start, flow.clock.offset);
    }
    return times;
}

void expect_arrivals(const LogTally& log, const AnalysisOptions& options, FlowAnalyses& flows) {
    const RunMetadata& metadata = log.metadata();
    for (const auto& setup : metadata.flows) {
        if (not wanted(setup.spec.id, options)) {
            continue;
        }
        FlowAnalysis& flow = analysis_of(setup.spec, options, flows);
        flow.receiver_log = &log;
        flow.clock.kind = ClockState::Kind::relative;
        if (flow.sender_log != nullptr) {
            flow.clock = relate_clocks(flow.sender_log->metadata(), flow.sender_log->probes(), metadata);
        }
        flow.received = std::make_unique<ReceivedAnalyzer>(arrival_times(flow, metadata), flow.series);
    }
}

void keep_log(const LogTally& log, RunResult& run, Results& results) {
    const auto complaints = log.complaints();
    results.damaged = results.damaged or not complaints.empty();
    results.warnings.insert(results.warnings.end(), complaints.begin(), complaints.end());
    run.logs.push_back(log.result());
}

Tallies read_all(const RunLogs& logs, const AnalysisOptions& options, FlowAnalyses& flows) {
    Tallies tallies;
    for (const auto& log : logs.senders) {
        tallies.push_back(std::make_unique<LogTally>(log, flows, options.progress));
        expect_departures(*tallies.back(), not logs.receivers.empty(), options, flows);
        tallies.back()->read();
    }
    for (const auto& log : logs.receivers) {
        tallies.push_back(std::make_unique<LogTally>(log, flows, options.progress));
        expect_arrivals(*tallies.back(), options, flows);
        tallies.back()->read();
    }
    return tallies;
}

void warn_about_several_runs(const Catalogue& found, Results& results) {
    if (found.runs.size() < 2) {
        return;
    }
    for (const auto& run : found.runs) {
        std::string names;
        for (const auto* logs : {&run.senders, &run.receivers}) {
            for (const auto& log : *logs) {
                names += (names.empty() ? "" : ", ") + log.source->name;
            }
        }
        results.warnings.push_back("these logs are of " + std::to_string(found.runs.size()) +
                                   " runs, which are reported apart: run " + run.run_id + " is in " + names);
    }
}

void refuse_unknown_flows(const Catalogue& found, const AnalysisOptions& options) {
    std::set<FlowId> known;
    for (const auto& run : found.runs) {
        for (const auto* logs : {&run.senders, &run.receivers}) {
            for (const auto& log : *logs) {
                for (const auto& flow : log.metadata.flows) {
                    known.insert(flow.spec.id);
                }
            }
        }
    }
    for (const FlowId flow : options.flows) {
        if (not known.contains(flow)) {
            throw UsageError("--flow " + std::to_string(flow.value) + ": none of these logs has that flow; they have " +
                             std::to_string(known.size()) + " flows" +
                             (known.empty() ? std::string()
                                            : ", from " + std::to_string(known.begin()->value) + " to " +
                                                  std::to_string(known.rbegin()->value)));
        }
    }
}

}  // namespace

void analyze(const RunLogs& logs, const AnalysisOptions& options, Results& results) {
    FlowAnalyses flows;
    const Tallies tallies = read_all(logs, options, flows);

    const RunMetadata& first = tallies.front()->metadata();
    RunResult run;
    run.run_id = logs.run_id;
    run.experiment = first.experiment;
    run.started_at = first.started_at;
    run.seed = first.seed;
    run.interval = options.interval;
    for (const auto& tally : tallies) {
        keep_log(*tally, run, results);
    }
    conclude(flows, run);
    results.damaged = results.damaged or records_are_missing(run);
    results.runs.push_back(std::move(run));
}

Results analyze(const std::vector<LogSource>& sources, const AnalysisOptions& options) {
    Results results;
    const Catalogue found = catalogue(sources);
    results.damaged = not found.unusable.empty();
    results.warnings = found.unusable;
    refuse_unknown_flows(found, options);
    warn_about_several_runs(found, results);
    for (const auto& run : found.runs) {
        analyze(run, options, results);
    }
    return results;
}

}  // namespace groma
