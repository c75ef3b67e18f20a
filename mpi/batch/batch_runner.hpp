// Runs a batch: every run that is not complete, in order, with a row in batch.sqlite and a folder for each.
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
    bool retry_failed = false;  ///< runs that failed are done again; otherwise only interrupted and waiting ones are
};

/// One run and what it may need of the batch.
struct BatchJob {
    const Experiment& experiment;
    std::filesystem::path folder;                           ///< of this run; does not exist, the folder above does
    std::function<void(const std::string&)> show_progress;  ///< takes a line about the run; may be empty
};

struct BatchSurroundings {
    Clock& clock;
    /// Does one run. What it throws (RunError, SystemError, ProtocolError, UsageError) is the reason of a failed run.
    std::function<RunOutcome(const BatchJob&)> run_point;
    /// How often the user has asked to stop so far. After the first request no run begins.
    std::function<unsigned()> stop_requests;
    /// Takes a line for a terminal, which the next one overwrites; may be empty.
    std::function<void(const std::string&)> show_progress;
    /// Takes a line that stays: one for each run.
    std::function<void(const std::string&)> say;
};

struct BatchResult {
    std::vector<BatchRow> rows;
    bool interrupted = false;  ///< by the user
    bool stopped = false;      ///< by a failure, as --stop-on-failure asks

    /// Every run there is.
    [[nodiscard]] bool complete() const;
};

/// `text` is the experiment file that the batch was read from.
/// Throws: RunError, SystemError when the folder or its table cannot be used. Runs that fail are in the result.
[[nodiscard]] BatchResult run_batch(const Batch& batch, const std::string& text, const BatchOptions& options,
                                    BatchSurroundings surroundings);

/// As it is kept in batch.sqlite: 16 hex digits of XXH3.
[[nodiscard]] std::string text_hash(const std::string& text);

}  // namespace groma
