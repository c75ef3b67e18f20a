#include "mpi/job/run_tally.hpp"

#include <algorithm>

#include "common/json/json_record.hpp"
#include "common/log/log_name.hpp"
#include "sender/report/report_codec.hpp"

namespace groma {

namespace {

using nlohmann::json;

/// So often what was measured so far is kept.
constexpr Nanos kKeepInterval = std::chrono::seconds(1);

}  // namespace

bool RunTally::all_sent() const {
    return std::ranges::all_of(sending_, [this](int rank) { return from_.ranks.has(rank, "sent"); });
}

void RunTally::keep_so_far() {
    while (auto told = from_.ranks.take_any("so_far")) {
        so_far_[told->first] = std::move(told->second);
    }
    const MonoTime now = from_.ranks.clock().now();
    if (not from_.run.keep_so_far or now < keep_next_) {
        return;
    }
    keep_next_ = now + kKeepInterval;
    JobReport report = empty_report();
    for (const int rank : sending_) {
        take_so_far(rank, report);
    }
    put_together(report);
    from_.run.keep_so_far(report);
}

JobReport RunTally::report() {
    from_.news.hear_failures();
    JobReport report = empty_report();
    report.complete = not sending_.empty() and all_sent();
    for (const int rank : sending_) {
        take_part(rank, report);
    }
    put_together(report);
    return report;
}

JobReport RunTally::empty_report() const {
    JobReport report;
    report.ranks = from_.ranks.size();
    report.interrupted = from_.ranks.interrupted();
    report.folder = from_.folder.path();
    if (from_.layout.has_log_server()) {
        const auto logs = from_.folder.log_server() / experiment_folder(from_.run.experiment.name, from_.run.run_id);
        report.log_places.push_back("log server, " + from_.layout.call(*from_.run.roles.log_server) + ": " +
                                    logs.string());
    }
    return report;
}

void RunTally::put_together(JobReport& report) const {
    report.errors = from_.news.errors();
    if (not report.parts.empty()) {
        report.whole = merge_parts(report.parts);
        report.whole.required = from_.run.experiment.required;  // of all flows together, not of each rank's
    }
}

/// What a rank said; or, when the job was ended, left in the folder because it could not say it.
std::optional<json> RunTally::last_word(int rank, const std::string& kind) {
    auto said = from_.ranks.take(rank, kind);
    if (said or not from_.ranks.interrupted()) {
        return said;
    }
    json left = json::parse(from_.folder.take_left_behind(kind + "-" + std::to_string(rank)), nullptr, false);
    return left.is_object() ? std::optional(std::move(left)) : std::nullopt;
}

void RunTally::take_part(int rank, JobReport& report) {
    if (const auto sent = last_word(rank, "sent")) {
        take_sent(rank, *sent, report);
    } else {
        take_unfinished(rank, report);
    }
}

void RunTally::take_sent(int rank, const json& sent, JobReport& report) {
    if (sent.contains("report")) {
        report.parts.push_back({rank, from_.layout.sender_name(rank), from_json<SendReport>(sent.at("report")), false});
        return;
    }
    const std::string error = sent.value("error", "");
    const bool called_off = error.starts_with("the run was called off");
    if (not called_off or from_.news.errors().empty()) {
        from_.news.error(rank, error);
    }
}

void RunTally::take_unfinished(int rank, JobReport& report) {
    const auto counted = last_word(rank, "counted");
    if (not counted) {
        take_so_far(rank, report);
        return;
    }
    SenderPart part{rank, from_.layout.sender_name(rank), from_json<SendReport>(counted->at("report")), false};
    part.report.log = LogReport{.name = "log", .error = "the job ended before it could be closed"};
    report.parts.push_back(std::move(part));
}

void RunTally::take_so_far(int rank, JobReport& report) const {
    if (const auto told = so_far_.find(rank); told != so_far_.end()) {
        report.parts.push_back(
            {rank, from_.layout.sender_name(rank), from_json<SendReport>(told->second.at("report")), true});
    }
}

}  // namespace groma
