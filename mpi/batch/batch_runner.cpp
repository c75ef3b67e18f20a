#include "mpi/batch/batch_runner.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <stdexcept>
#include <utility>

#include "common/base/counted.hpp"
#include "common/log/running_hash.hpp"
#include "mpi/batch/batch_folder.hpp"
#include "mpi/batch/batch_progress.hpp"
#include "mpi/batch/batch_report.hpp"
#include "mpi/batch/batch_table.hpp"

namespace groma {

namespace {

class Runner {
public:
    Runner(const Batch& batch, const std::string& text, const BatchOptions& options, BatchSurroundings surroundings)
        : batch_(batch),
          options_(options),
          around_(std::move(surroundings)),
          folder_(options.folder),
          table_(folder_.path(), batch, text_hash(text)) {
        folder_.keep_experiment(text);
    }

    [[nodiscard]] BatchResult run() {
        const std::vector<BatchRow> rows = table_.rows();
        std::vector<BatchRun> ahead;
        for (const BatchRow& row : rows) {
            if (to_do(row)) {
                ahead.push_back(batch_.runs()[row.number - 1]);
            }
        }
        announce(rows, ahead);
        BatchProgress progress(ahead, rows.size());
        BatchResult result;
        for (const BatchRun& run : ahead) {
            result.interrupted = around_.stop_requests() > 0;
            if (result.interrupted or result.stopped) {
                break;
            }
            const RunState state = do_run(run, rows[run.number - 1], progress);
            result.stopped = options_.stop_on_failure and state == RunState::failed;
        }
        result.interrupted = result.interrupted or around_.stop_requests() > 0;
        result.rows = table_.rows();
        return result;
    }

private:
    [[nodiscard]] bool to_do(const BatchRow& row) {
        switch (row.outcome.state) {
            case RunState::complete:
                return false;
            case RunState::failed:
                return options_.retry_failed;
            case RunState::running:
                table_.set_interrupted(row.number, "the job ended before the run did");
                return true;
            case RunState::waiting:
            case RunState::interrupted:
                break;
        }
        return true;
    }

    void announce(const std::vector<BatchRow>& rows, const std::vector<BatchRun>& ahead) {
        if (ahead.size() < rows.size()) {
            around_.say(fmt::format("{} of {} in {} are done; {} to go", rows.size() - ahead.size(),
                                    counted(rows.size(), "run"), folder_.path().string(), ahead.size()));
        }
    }

    RunState do_run(const BatchRun& run, const BatchRow& before, BatchProgress& progress) {
        set_aside(before);
        table_.set_running(run.number, around_.clock.wall_now());
        progress.on_run_begun(run, around_.clock.now());
        const RunOutcome outcome = outcome_of(run, progress);
        table_.set_outcome(run.number, outcome, around_.clock.wall_now());
        progress.on_run_ended(around_.clock.now());
        around_.say(run_line(run, outcome, batch_.runs().size()));
        return outcome.state;
    }

    void set_aside(const BatchRow& before) {
        const std::string aside = folder_.set_aside(before.folder, before.attempts);
        if (not aside.empty()) {
            table_.note_attempt(before.number, aside);
        }
    }

    RunOutcome outcome_of(const BatchRun& run, const BatchProgress& progress) {
        const auto show = [&](const std::string& text) {
            around_.show_progress(progress.line(around_.clock.now()) + (text.empty() ? "" : "; " + text));
        };
        try {
            const Experiment experiment = batch_.experiment(run);
            BatchJob job{experiment, folder_.path() / run.name, {}};
            if (around_.show_progress) {
                job.show_progress = show;
                show({});
            }
            RunOutcome outcome = around_.run_point(job);
            if (outcome.state != RunState::complete and around_.stop_requests() > 0) {
                outcome.state = RunState::interrupted;
                outcome.reason = outcome.reason.empty() ? "the user stopped it" : outcome.reason;
            }
            return outcome;
        } catch (const std::runtime_error& error) {
            const bool stopped = around_.stop_requests() > 0;
            return {stopped ? RunState::interrupted : RunState::failed, error.what(), {}, {}};
        }
    }

    const Batch& batch_;
    const BatchOptions& options_;
    BatchSurroundings around_;
    BatchFolder folder_;
    BatchTable table_;
};

}  // namespace

bool BatchResult::complete() const {
    return std::ranges::all_of(rows, [](const BatchRow& row) { return row.outcome.state == RunState::complete; });
}

BatchResult run_batch(const Batch& batch, const std::string& text, const BatchOptions& options,
                      BatchSurroundings surroundings) {
    return Runner(batch, text, options, std::move(surroundings)).run();
}

std::string text_hash(const std::string& text) {
    RunningHash hash;
    hash.add(std::as_bytes(std::span(text)));
    return fmt::format("{:016x}", hash.value());
}

}  // namespace groma
