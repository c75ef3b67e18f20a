#include "mpi/job/single_run.hpp"

#include <unistd.h>

#include <iostream>
#include <memory>

#include "common/access/drawn_key.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/run_main.hpp"
#include "common/log/log_name.hpp"
#include "common/os/host.hpp"
#include "common/os/output.hpp"
#include "mpi/job/job_results.hpp"
#include "mpi/roles/job_key.hpp"
#include "sender/commands/terminal_line.hpp"

namespace groma {

namespace {

LogServerNeed need_of(JobLogTransport transport) {
    switch (transport) {
        case JobLogTransport::automatic:
            return LogServerNeed::if_there_is_a_rank;
        case JobLogTransport::local:
            return LogServerNeed::none;
        default:
            return LogServerNeed::needed;
    }
}

void print(const MpiOptions& options, const JobReport& report, OutputStream* json_file) {
    if (json_file != nullptr) {
        json_file->complete(job_report_json(report));
    } else if (options.json) {
        std::cout << job_report_json(report);
    }
    if (not options.quiet and (not options.json or json_file != nullptr)) {
        std::cout << job_report_text(report);
    }
    std::cout.flush();
}

}  // namespace

JobRun plan_run(const Experiment& experiment, const MpiOptions& options, const std::vector<RankIdentity>& ranks) {
    JobRun run;
    run.experiment = experiment;
    run.roles = plan_roles(experiment, ranks, need_of(options.log_transport));
    run.log_transport = options.log_transport;
    if (options.log_transport == JobLogTransport::automatic) {
        run.log_transport = run.roles.log_server ? kUsualLogTransport : JobLogTransport::local;
    }
    run.local_logs = options.local_logs or run.log_transport == JobLogTransport::local;
    run.threads = options.threads;
    run.pin = options.pin;
    run.realtime = options.realtime;
    run.block_records = options.block_records;
    run.wait = options.wait;
    run.timeout = options.timeout;
    run.run_id = random_id();
    run.key = draw_key();
    run.keep_so_far = keep_report;
    run.folder = options.out;
    if (run.folder.empty()) {
        run.folder = "groma-run-" + experiment_folder(experiment.name, run.run_id);
    }
    return run;
}

int run_once(JobLeader& leader, const MpiOptions& options) {
    JobRun run = plan_run(options.experiment, options, leader.identities());
    TerminalLine line(STDERR_FILENO, not options.quiet);
    run.show_progress = line.shower();
    for (const std::string& warning : run.roles.warnings) {
        if (not options.quiet) {
            std::cerr << "groma-mpi: " << plain_text(warning) << '\n';
        }
    }
    std::unique_ptr<OutputStream> json_file;
    if (not options.json_file.empty()) {
        json_file = std::make_unique<OutputStream>(options.json_file);
    }
    JobReport report = leader.run(run);
    line.clear();
    if (not leader.interrupted()) {
        make_results(report, run, {.sqlite = options.sqlite or options.plots, .plots = options.plots});
    } else {
        keep_report(report);  // first: mpirun kills this process soon
    }
    print(options, report, json_file.get());
    const std::vector<std::string> reasons = failures(report);
    for (const std::string& reason : reasons) {
        std::cerr << "groma-mpi: " << plain_text(reason) << '\n';
    }
    write_reports(report);
    return reasons.empty() ? kExitOk : kExitFailed;
}

}  // namespace groma
