// Runs a batch: all incomplete runs in order, with a row in batch.sqlite and a folder each.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "common/model/experiment/batch.hpp"
#include "common/time/clock.hpp"
#include "mpi/batch/batch_row.hpp"

namespace groma {

struct BatchOptions {
    std::filesystem::path folder;
    bool stop_on_failure = false;
    bool retry_failed = false;  ///< also repeats failed runs; default: only interrupted and waiting ones
};

/// One run of a batch and its environment.
struct BatchJob {
    const Experiment& experiment;
    std::filesystem::path folder;                           ///< of this run; does not exist yet, its parent does
    std::function<void(const std::string&)> show_progress;  ///< takes a progress line; may be empty
};

struct BatchSurroundings {
    Clock& clock;
    /// Executes one run. Its exceptions (RunError, SystemError, ProtocolError, UsageError) become the reason of a
    /// failed run.
    std::function<RunOutcome(const BatchJob&)> run_point;
    /// The number of stop requests so far. After the first, no run starts.
    std::function<unsigned()> stop_requests;
    /// Takes a line for a terminal, which the next one overwrites; may be empty.
    std::function<void(const std::string&)> show_progress;
    /// Takes a permanent line per run.
    std::function<void(const std::string&)> say;
};

struct BatchResult {
    std::vector<BatchRow> rows;
    bool interrupted = false;  ///< by the user
    bool stopped = false;      ///< by a failure, with --stop-on-failure

    /// Whether every run is complete.
    [[nodiscard]] bool complete() const;
};

/// `text`: the experiment file of the batch.
/// Throws: RunError, SystemError if the folder or its table is unusable. Failed runs are in the result.
[[nodiscard]] BatchResult run_batch(const Batch& batch, const std::string& text, const BatchOptions& options,
                                    BatchSurroundings surroundings);

/// As in batch.sqlite: 16 hex digits of XXH3.
[[nodiscard]] std::string text_hash(const std::string& text);

}  // namespace groma
