// Reads the logs of one run and computes its figures: senders' logs first, so that the receivers' can be joined to
// them. Memory: by flows, histograms and intervals; only packets too small to carry their time of departure cost 16
// bytes each.
#pragma once

#include <set>
#include <vector>

#include "common/model/experiment/requirement.hpp"
#include "decoder/analysis/log_tally.hpp"
#include "decoder/logs/catalogue.hpp"
#include "decoder/results/results.hpp"

namespace groma {

struct AnalysisOptions {
    Nanos interval{1'000'000'000};
    std::set<FlowId> flows{};                ///< only these; empty: all
    ReadProgress progress{};                 ///< may be empty
    std::vector<Requirement> required{};     ///< of every flow
    std::vector<GroupKey> group_by{};        ///< empty: no groups
    Cut cut{};                               ///< which packets count
    std::optional<double> bottleneck_bps{};  ///< payload that the path of connections carries at most; empty: unknown
    bool thorough = false;                   ///< also figures that take time and memory for each packet
    unsigned threads = 1;                    ///< that read a log: no figure depends on it
};

/// Adds the run to `results` and, where something is wrong with a log, warnings. Throws: what LogSource::read throws.
void analyze(const RunLogs& logs, const AnalysisOptions& options, Results& results);

/// All runs of these logs, with a warning when there are several. Throws: as above; UsageError when two logs are of the
/// same side of a flow, or when none has a flow that was asked for.
[[nodiscard]] Results analyze(const std::vector<LogSource>& sources, const AnalysisOptions& options);

}  // namespace groma
