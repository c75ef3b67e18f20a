#include "mpi/batch/batch_job.hpp"

#include <unistd.h>

#include <fstream>
#include <iostream>
#include <iterator>

#include "common/base/plain_text.hpp"
#include "common/cli/experiment_file.hpp"
#include "common/cli/run_main.hpp"
#include "mpi/batch/batch_report.hpp"
#include "mpi/batch/batch_runner.hpp"
#include "mpi/batch/batch_table.hpp"
#include "mpi/batch/run_outcome.hpp"
#include "mpi/job/job_results.hpp"
#include "mpi/job/single_run.hpp"
#include "sender/commands/terminal_line.hpp"

namespace groma {

namespace {

/// The same from run to run, so that a batch finds what it did before.
std::filesystem::path folder_of(const MpiOptions& options) {
    return options.out.empty() ? std::filesystem::path("groma-batch-" + options.batch->plan().name) : options.out;
}

/// Goes on with the seed that an earlier job drew, if the file has none.
Batch batch_to_run(const MpiOptions& options, const std::filesystem::path& folder) {
    const auto seed = seed_of_batch_in(folder);
    if (not seed or *seed == options.batch->plan().seed) {
        return *options.batch;
    }
    return parse_batch(options.text, options.file.string(), named_files_in(options.file.parent_path()), *seed).value();
}

std::string text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

class BatchJobRunner {
public:
    BatchJobRunner(JobLeader& leader, const MpiOptions& options) : leader_(leader), options_(options) {}

    /// Finds out that the ranks fit before anything is made.
    void try_ranks(const Batch& batch) const {
        const JobRun run = plan_run(batch.experiment(batch.runs().front()), options_, leader_.identities());
        for (const std::string& warning : run.roles.warnings) {
            if (not options_.quiet) {
                std::cerr << "groma-mpi: " << plain_text(warning) << '\n';
            }
        }
    }

    [[nodiscard]] RunOutcome run(const BatchJob& job) {
        JobRun run = plan_run(job.experiment, options_, leader_.identities());
        run.folder = job.folder;
        run.show_progress = job.show_progress;
        JobReport report = leader_.run(run);
        if (not leader_.interrupted()) {
            make_results(report, run,
                         {.sqlite = options_.sqlite or options_.plots, .plots = options_.plots, .json = true});
        }
        write_reports(report);
        RunOutcome outcome = outcome_of(report);
        add_decoded(text_of(job.folder / "results.json"), outcome.figures);
        return outcome;
    }

private:
    JobLeader& leader_;
    const MpiOptions& options_;
};

}  // namespace

int run_batch_job(JobLeader& leader, const MpiOptions& options, Clock& clock) {
    const std::filesystem::path folder = folder_of(options);
    const Batch batch = batch_to_run(options, folder);
    BatchJobRunner runner(leader, options);
    runner.try_ranks(batch);
    TerminalLine line(STDERR_FILENO, not options.quiet);
    const BatchResult result = run_batch(batch, options.text, {folder, options.stop_on_failure, options.retry_failed},
                                         {.clock = clock,
                                          .run_point = [&](const BatchJob& job) { return runner.run(job); },
                                          .stop_requests = [&] { return leader.interrupted() ? 1U : 0U; },
                                          .show_progress = line.shower(),
                                          .say =
                                              [&](const std::string& text) {
                                                  line.clear();
                                                  if (not options.quiet) {
                                                      std::cerr << "groma-mpi: " << plain_text(text) << '\n';
                                                  }
                                              }});
    line.clear();
    if (not options.quiet) {
        std::cout << batch_result_text(batch, result.rows) << "results are in " << folder.string() << '\n';
    }
    std::cout.flush();
    if (not result.complete()) {
        std::cerr << "groma-mpi: not all runs are complete; the same command goes on where this one stopped"
                  << (result.interrupted ? "\n" : " (--retry-failed does failed runs again)\n");
    }
    return result.complete() ? kExitOk : kExitFailed;
}

std::string batch_list_text(const MpiOptions& options) {
    return batch_plan_text(*options.batch);
}

}  // namespace groma
