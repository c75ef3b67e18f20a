#include "mpi/job/job_report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/json/json_text.hpp"
#include "common/model/text/human.hpp"
#include "sender/report/merged_report.hpp"
#include "sender/report/pacing_report.hpp"
#include "sender/report/report_json.hpp"
#include "sender/report/report_requirements.hpp"
#include "sender/report/report_screen.hpp"
#include "sender/report/report_text.hpp"

namespace groma {

namespace {

using Json = nlohmann::ordered_json;

std::string heading(const JobReport& report) {
    return fmt::format("experiment '{}', run {}, seed {}: {} from {} on {}, {}{}\n",
                       plain_text(report.whole.experiment), report.whole.run_id, report.whole.seed,
                       counted(report.whole.flows.size(), "flow"), counted(report.parts.size(), "sender"),
                       counted(static_cast<std::size_t>(report.ranks), "rank"), human_time(report.whole.elapsed),
                       report.interrupted ? " (interrupted)" : "");
}

/// With one sender, figures_text() has it.
std::string pacing_of_each(const std::vector<SenderPart>& parts) {
    std::string out;
    for (const SenderPart& part : parts) {
        const std::string pacing = parts.size() > 1 ? pacing_text(part.report) : std::string();
        if (not pacing.empty()) {
            out += fmt::format("  rank {}, {}:\n", part.rank, plain_text(part.name)) + pacing;
        }
    }
    return out.empty() ? out : "\nHow it was sent\n" + out;
}

}  // namespace

SendReport merge_parts(const std::vector<SenderPart>& parts) {
    std::vector<const SendReport*> reports;
    reports.reserve(parts.size());
    for (const SenderPart& part : parts) {
        reports.push_back(&part.report);
    }
    SendReport whole = merged(reports);
    whole.log.reset();
    return whole;
}

std::vector<std::string> failures(const JobReport& report) {
    std::vector<std::string> out = report.errors;
    if (report.interrupted) {
        out.insert(out.begin(),
                   "interrupted: the job was told to end, by you or by mpirun (which says so when a rank died)");
    }
    for (const SenderPart& part : report.parts) {
        if (part.so_far) {
            out.push_back(
                fmt::format("rank {} ({}, sends): its last report is of {} after the start, without lateness "
                            "and receivers' counts",
                            part.rank, plain_text(part.name), human_time(part.report.elapsed)));
            continue;
        }
        for (const std::string& reason : failures(part.report)) {
            const bool ours = report.interrupted and reason.starts_with("interrupted");
            if (not ours) {
                out.push_back("rank " + std::to_string(part.rank) + " (" + plain_text(part.name) +
                              ", sends): " + reason);
            }
        }
    }
    for (const CheckedRequirement& one : checked_requirements(report.whole)) {
        if (not one.met) {
            out.push_back("required, and not met: " + one.sentence());
        }
    }
    return out;
}

std::string job_report_text(const JobReport& report) {
    if (report.parts.empty()) {
        return "nothing was measured\n";
    }
    std::string out = heading(report) + figures_text(report.whole) + pacing_of_each(report.parts);
    out += "\nClocks and logs\n";
    for (const SenderPart& part : report.parts) {
        out += fmt::format("  rank {}, {}:\n", part.rank, plain_text(part.name)) + clocks_and_logs_text(part.report);
    }
    for (const std::string& place : report.log_places) {
        out += "  " + plain_text(place) + '\n';
    }
    out += "  results: " + plain_text(report.folder.string()) + '\n';
    out += requirements_text(report.whole) + '\n' + conclusion_text(report.whole);
    return out;
}

std::string job_report_json(const JobReport& report) {
    Json object = report.parts.empty() ? Json::object() : Json::parse(report_json(report.whole));
    object["schema"] = "groma-mpi 2";
    object["program"] = "groma-mpi " GROMA_VERSION;
    object["errors"] = failures(report);
    object["ranks"] = report.ranks;
    object["folder"] = report.folder.string();
    object["interrupted"] = report.interrupted;
    object["complete"] = report.complete;
    object.erase("receivers");
    object.erase("log");
    object["senders"] = Json::array();
    for (const SenderPart& part : report.parts) {
        const Json own = Json::parse(report_json(part.report));
        object["senders"].push_back({{"rank", part.rank},
                                     {"name", part.name},
                                     {"so_far", part.so_far},
                                     {"run", own["run"]},
                                     {"verdict", own["verdict"]},
                                     {"receivers", own["receivers"]},
                                     {"log", own["log"]}});
    }
    return json_text(object, 2) + '\n';
}

}  // namespace groma
