#include "receiver/run_record.hpp"

#include <fmt/format.h>

#include <numeric>

#include "common/base/counted.hpp"
#include "common/log/kernel_clock_health.hpp"

namespace groma {

RunMetadata run_metadata(const Hello& hello, const ReceivingRun& run, const SessionEnvironment& environment) {
    return {.run_id = hello.run_id,
            .experiment = hello.experiment,
            .role = LogRole::receiver,
            .host = environment.identity.host,
            .boot_id = environment.identity.boot_id,
            .program = environment.identity.program,
            .timestamps = run.timestamps(),
            .clock = clock_health(),
            .started_at = environment.clock.wall_now(),
            .seed = hello.seed,
            .flows = run.setups()};
}

namespace {

LogEvent gro_on(FlowId flow, const Coalescing& gro) {
    std::string text = "from here on packets may share a time of arrival (GRO), because ";
    text.append(in_words(gro.why)).append("; ").append(std::to_string(gro.packets)).append(" do");
    return {.at = gro.since, .flow = flow, .kind = "gro-on", .text = std::move(text)};
}

}  // namespace

std::vector<LogEvent> closing_events(const std::string& end, const std::vector<ReceivedFlow>& flows, WallTime now) {
    std::vector<LogEvent> events;
    if (end == "interrupted") {
        events.push_back({.at = now, .flow = std::nullopt, .kind = "interrupted", .text = "the run was stopped"});
    } else if (end != "complete") {
        events.push_back({.at = now, .flow = std::nullopt, .kind = "peer-lost", .text = end});
    }
    for (const ReceivedFlow& flow : flows) {
        if (flow.state != "ok") {
            events.push_back({.at = now, .flow = flow.flow, .kind = "flow-broken", .text = flow.state});
        }
        if (flow.coalescing) {
            events.push_back(gro_on(flow.flow, *flow.coalescing));
        }
        if (flow.records_lost > 0) {
            events.push_back(
                {.at = now,
                 .flow = flow.flow,
                 .kind = "records-lost",
                 .text = fmt::format("{} arrived and {} not in this log", counted(flow.records_lost, "packet"),
                                     by_count(flow.records_lost, "is", "are"))});
        }
    }
    return events;
}

LogTotals closing_totals(const std::string& end, const std::vector<ReceivedFlow>& flows, WallTime now) {
    LogTotals totals{.ended_at = now, .end = end, .flows = {}};
    for (const ReceivedFlow& flow : flows) {
        totals.flows.push_back({.flow = flow.flow,
                                .packets = flow.packets,
                                .bytes = flow.bytes,
                                .records = flow.packets - flow.records_lost,
                                .records_lost = flow.records_lost,
                                .counters = {{"duplicates", flow.duplicates},
                                             {"reordered", flow.reordered},
                                             {"foreign_packets", flow.foreign},
                                             {"malformed_packets", flow.malformed},
                                             {"kernel_drops", flow.kernel_drops}},
                                .first = flow.first_arrival,
                                .last = flow.last_arrival});
        if (flow.replies + flow.replies_lost > 0) {
            auto& counters = totals.flows.back().counters;
            counters.emplace_back("replies", flow.replies);
            counters.emplace_back("replies_lost", flow.replies_lost);
        }
        if (flow.forged > 0) {
            totals.flows.back().counters.emplace_back("forged_packets", flow.forged);
        }
        if (flow.unstamped > 0) {
            totals.flows.back().counters.emplace_back("unstamped_packets", flow.unstamped);
        }
        if (flow.coalescing) {
            totals.flows.back().counters.emplace_back("coalesced_packets", flow.coalescing->packets);
        }
    }
    return totals;
}

std::string begin_in_words(const Hello& hello, const ReceivingRun& run, const LogTarget& target) {
    std::string text = "run " + hello.run_id.substr(0, 8) + " '" + hello.experiment + "' from " + hello.host + " (" +
                       hello.program + ") begins: " + counted(run.flows(), "flow") + ", ";
    if (target.none()) {
        return text + "no log";
    }
    text += "log ";
    text += target.file.string() + (target.discarded ? " (not kept)" : "");
    if (target.shipped()) {
        text += (target.file.empty() ? "to " : ", to ") + (target.server ? to_string(*target.server) + " over " : "") +
                std::string(to_string(target.transport)) + " as " + target.folder_on_server + '/' +
                target.name_on_server;
    }
    return text;
}

std::string end_in_words(const std::string& end, const ReceiverResults& results) {
    std::uint64_t packets = 0;
    std::uint64_t records_lost = 0;
    std::uint64_t replies = 0;
    std::uint64_t replies_lost = 0;
    for (const ReceivedFlow& flow : results.flows) {
        packets += flow.packets;
        records_lost += flow.records_lost;
        replies += flow.replies;
        replies_lost += flow.replies_lost;
    }
    std::string text = "the run ended: " + end + "; " + counted(packets, "packet");
    if (records_lost > 0) {
        text += ", " + std::to_string(records_lost) + " of them not in the log";
    }
    if (replies > 0) {
        text += ", " + std::to_string(replies) + " sent back";
    }
    if (replies_lost > 0) {
        text += ", " + std::to_string(replies_lost) + " that could not be sent back";
    }
    return results.log_error.empty() ? text : text + "; the log is not whole: " + results.log_error;
}

}  // namespace groma
