// Several runs in one picture: the total of each run takes the place of a flow.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "plots/results/stored_results.hpp"

namespace groma {

/// The runs of a file.
struct ResultsFile {
    std::filesystem::path path;
    std::vector<RunResults> runs;
};

/// For a key: the names of the experiments if they differ, otherwise those of the files or of their folders; one for
/// each run of each file, in order.
[[nodiscard]] std::vector<std::string> run_names(const std::vector<ResultsFile>& files);

/// A result whose "flows" are the totals of the runs, without figures over time (see ComparedSeries). Distributions are
/// those of all packets, and what was asked for is mixed by the packets sent. Connections are left out. Throws:
/// UsageError when the lengths of the intervals differ.
[[nodiscard]] RunResults compared(const std::vector<ResultsFile>& files);

/// All flows of a run as one.
[[nodiscard]] FlowResults total_of(const RunResults& run);

}  // namespace groma
