#include "mpi/job/job_results.hpp"

#include <algorithm>
#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "common/log/log_name.hpp"
#include "common/os/child_process.hpp"
#include "common/os/output.hpp"
#include "common/os/own_program.hpp"

namespace groma {

namespace {

std::vector<std::string> logs_in(const std::filesystem::path& folder) {
    std::vector<std::string> logs;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.ends_with(".glog") or name.ends_with(".glog.part")) {
            logs.push_back(entry.path().string());
        }
    }
    std::ranges::sort(logs);
    return logs;
}

/// Returns: success.
bool run_own(JobReport& report, const std::vector<std::string>& command) {
    const std::string program = std::filesystem::path(command.front()).filename().string();
    try {
        const ChildResult result = run_child(command, "");
        if (result.status != 0) {
            report.errors.push_back(program + " ended with " + std::to_string(result.status) + ": " + result.output);
        }
        return result.status == 0;
    } catch (const std::exception& error) {
        report.errors.emplace_back(error.what());
        return false;
    }
}

}  // namespace

std::filesystem::path logs_of(const JobReport& report, const JobRun& run) {
    if (run.local_logs) {
        return report.folder / "logs";
    }
    return report.folder / "log-server" / experiment_folder(run.experiment.name, run.run_id);
}

void make_results(JobReport& report, const JobRun& run, WantedResults wanted) {
    if (not wanted.sqlite and not wanted.json) {
        return;
    }
    std::vector<std::string> command = logs_in(logs_of(report, run));
    if (command.empty()) {
        report.errors.emplace_back("there are no logs to decode");
        return;
    }
    const std::string results = (report.folder / "results.sqlite").string();
    command.insert(command.begin(), own_program("groma-dec"));
    if (wanted.sqlite) {
        command.insert(command.end(), {"--sqlite", results, "--force"});
    }
    if (wanted.json) {
        command.insert(command.end(), {"--json=" + (report.folder / "results.json").string(), "--quiet"});
    }
    if (run_own(report, command) and wanted.plots) {
        static_cast<void>(
            run_own(report, {own_program("groma-plot"), results, "-o", (report.folder / "plots").string()}));
    }
}

void keep_report(const JobReport& report) noexcept {
    try {
        static_cast<void>(write_output(report.folder / "report.json", job_report_json(report)));
    } catch (const std::exception& ignored) {
        static_cast<void>(ignored);
    }
}

void write_reports(const JobReport& report) {
    static_cast<void>(write_output(report.folder / "report.json", job_report_json(report)));
    static_cast<void>(write_output(report.folder / "report.txt", job_report_text(report)));
}

}  // namespace groma
