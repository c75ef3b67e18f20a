#include "decoder/analysis/run_analysis.hpp"

#include <algorithm>
#include <memory>
#include <optional>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/text/human.hpp"
#include "common/time/difference.hpp"
#include "decoder/analysis/checked_requirements.hpp"
#include "decoder/analysis/conclusions.hpp"
#include "decoder/analysis/expected_flows.hpp"

namespace groma {

namespace {

using Tallies = std::vector<std::unique_ptr<LogTally>>;

/// The last departure of all senders of a run, each from its start.
class LastDeparture final : public LogVisitor {
public:
    void on_metadata(const RunMetadata& metadata) override { start_ = metadata.started_at; }
    void on_sent(FlowId /*flow*/, std::span<const SentRecord> records) override {
        for (const SentRecord& record : records) {
            const Nanos since_start = difference(record.sent_at, start_);
            last_ = std::max(last_.value_or(since_start), since_start);
        }
    }
    /// Without a sender's log: the last arrival, on the receiver's clock.
    void on_received(FlowId /*flow*/, std::span<const ReceivedRecord> records) override {
        for (const ReceivedRecord& record : records) {
            const Nanos since_start = difference(record.received_at, start_);
            last_ = std::max(last_.value_or(since_start), since_start);
        }
    }
    [[nodiscard]] std::optional<Nanos> last() const { return last_; }

private:
    WallTime start_{};
    std::optional<Nanos> last_;
};

/// Where a run ends is known only once its logs were read: --skip-end reads them twice.
Selection selection_of(const RunLogs& logs, const Cut& cut) {
    LastDeparture last;
    if (cut.skip_end) {
        for (const auto& log : logs.senders.empty() ? logs.receivers : logs.senders) {
            log.source->read(last);
        }
    }
    return cut.selection(last.last());
}

void keep_log(LogTally& log, RunResult& run, Results& results) {
    const auto complaints = log.complaints();
    results.damaged = results.damaged or not complaints.empty();
    results.warnings.insert(results.warnings.end(), complaints.begin(), complaints.end());
    run.logs.push_back(log.take_result());
    for (const LogEvent& event : run.logs.back().events) {
        if (event.kind == kClockStepped) {
            results.warnings.push_back(run.logs.back().path + ": " + plain_text(event.text));
        }
    }
}

std::string longer_interval(const RunResult& run, Nanos asked) {
    const SeriesLimits limits;
    return "run " + run.run_id + ": the interval of the series, " + human_time(asked) + ", was made " +
           human_time(run.interval) + ", since with packets there were more than " + std::to_string(limits.of_series) +
           " intervals in one series, or " + std::to_string(limits.of_run) +
           " in all of the run; for a shorter one, select packets with --from and --until, or flows with --flow";
}

bool has_packets(const TotalResult& total) {
    return (total.sent and total.sent->packets > 0) or (total.received and total.received->packets > 0);
}

std::string nothing_selected(const RunResult& run) {
    return "run " + run.run_id + ": none of its packets is among those that were selected, " + describe(run.selection) +
           ": choose others with --from, --until, --skip-start, --skip-end or --size";
}

/// The senders' logs are read to the end.
void finish_departures(FlowAnalysis& flow) {
    flow.series.keep_up();
    if (flow.returned != nullptr) {
        flow.returned->finish();
    }
    if (flow.transmitted != nullptr) {
        flow.transmitted->finish();
    }
}

Tallies read_all(const Expected& expected, FlowAnalyses& flows) {
    const auto& [logs, options, selection, interval] = expected;
    Tallies tallies;
    for (const auto& log : logs.senders) {
        tallies.push_back(std::make_unique<LogTally>(log, flows, options.progress));
        expect_departures(*tallies.back(), expected, flows);
        expect_returns(log, expected, flows);
        tallies.back()->read(options.threads);
    }
    for (const auto& [id, flow] : flows) {
        finish_departures(*flow);
    }
    for (const auto& log : logs.receivers) {
        tallies.push_back(std::make_unique<LogTally>(log, flows, options.progress));
        expect_arrivals(*tallies.back(), expected, flows);
        tallies.back()->read(options.threads);
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
                             counted(known.size(), "flow") +
                             (known.empty() ? std::string()
                                            : ", from " + std::to_string(known.begin()->value) + " to " +
                                                  std::to_string(known.rbegin()->value)));
        }
    }
}

}  // namespace

void analyze(const RunLogs& logs, const AnalysisOptions& options, Results& results) {
    FlowAnalyses flows;
    const Selection selection = selection_of(logs, options.cut);
    const Expected expected{logs, options, selection};
    const Tallies tallies = read_all(expected, flows);

    const RunMetadata& first = tallies.front()->metadata();
    RunResult run;
    run.run_id = logs.run_id;
    run.experiment = first.experiment;
    run.started_at = first.started_at;
    run.seed = first.seed;
    run.group_keys = options.group_by;
    run.selection = selection;
    conclude(flows, expected.interval, run);
    if (run.interval > options.interval) {
        results.warnings.push_back(longer_interval(run, options.interval));
    }
    if (selection.any() and not has_packets(run.total)) {
        results.warnings.push_back(nothing_selected(run));
    }
    for (const auto& tally : tallies) {
        keep_log(*tally, run, results);
    }
    run.requirements = checked_requirements(options.required, run.flows);
    results.damaged = results.damaged or totals_contradict_records(run);
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
