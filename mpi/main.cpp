// groma-mpi: runs an experiment as one MPI job (man groma-mpi).
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>
#include <vector>

#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/host.hpp"
#include "common/os/process.hpp"
#include "common/os/signal_set.hpp"
#include "common/os/system_clock.hpp"
#include "mpi/batch/batch_job.hpp"
#include "mpi/command/mpi_options.hpp"
#include "mpi/job/job_leader.hpp"
#include "mpi/job/single_run.hpp"
#include "mpi/roles/rank_follower.hpp"

namespace groma {
namespace {

/// Without MPI: rank 0 answers, the others keep quiet.
bool answer_simple_questions(const std::vector<std::string>& arguments) {
    const CommandLine line(mpi_option_table(), arguments);
    if (not line.has("--help") and not line.has("--version")) {
        return false;
    }
    if (rank_from_environment() == 0) {
        std::cout << (line.has("--help") ? help_text(mpi_option_table()) : "groma-mpi " GROMA_VERSION "\n");
    }
    return true;
}

/// --list: without MPI as well.
int list_runs(const std::vector<std::string>& arguments) {
    if (rank_from_environment() == 0) {
        std::cout << batch_list_text(MpiOptions::parse(arguments, random_seed()));
    }
    return kExitOk;
}

/// Leaves at once: MPI_Finalize() would wait for ranks that are dead.
[[noreturn]] void leave_dying_job() {
    std::cout.flush();
    std::_Exit(kExitFailed);
}

int lead(JobRanks& ranks, const std::vector<std::string>& arguments) {
    JobLeader leader(ranks);
    const int status = run_main("groma-mpi", arguments, [&](const Arguments& given) {
        const MpiOptions options = MpiOptions::parse(given, random_seed());
        leader.meet();
        return options.batch ? run_batch_job(leader, options, ranks.clock()) : run_once(leader, options);
    });
    if (leader.interrupted()) {
        leave_dying_job();
    }
    if (leader.stuck()) {
        std::cout.flush();
        MpiWorld::abort(status);
    }
    leader.dismiss();
    return status;
}

int follow_to_the_end(MpiWorld& world, RankWorker& worker, SignalSet& signals, Clock& clock) {
    try {
        if (follow(world, worker, signals, clock) == Farewell::interrupted) {
            leave_dying_job();
        }
    } catch (const std::exception& error) {
        std::fprintf(stderr, "groma-mpi: rank %d on %s: %s\n", world.rank(), world.processor().c_str(),
                     plain_text(error.what()).c_str());
        MpiWorld::abort(kExitFailed);
    }
    return kExitOk;
}

int take_part(int argc, char** argv) {
    SignalSet signals = SignalSet::stop_signals();  // before MPI makes threads
    MpiWorld world(&argc, &argv);
    const std::vector<std::string> arguments(argv + 1, argv + argc);
    SystemClock clock;
    RankWorker worker(world, clock);
    raise_fd_limit();
    worker.introduce();
    if (world.rank() != 0) {
        return follow_to_the_end(world, worker, signals, clock);
    }
    JobRanks ranks({.world = world, .signals = signals, .clock = clock}, worker);
    return lead(ranks, arguments);
}

}  // namespace
}  // namespace groma

int main(int argc, char** argv) {
    if (groma::answer_simple_questions({argv + 1, argv + argc})) {
        return groma::kExitOk;
    }
    return groma::run_main("groma-mpi", argc, argv, [&](const groma::Arguments& arguments) {
        const bool list = std::ranges::find(arguments, "--list") != arguments.end();
        return list ? groma::list_runs(arguments) : groma::take_part(argc, argv);
    });
}
