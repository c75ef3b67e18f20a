#include "sender/run/posted_send.hpp"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/json/json_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/os/host.hpp"

namespace groma {

namespace {

BoardRun board_run(const SenderOptions& options, WallTime now) {
    BoardRun about{.experiment = options.experiment.name,
                   .began = now,
                   .hosts = {{.role = "sender", .name = host_name()}},
                   .flows = {},
                   .note = "What arrived is by the receivers' counts. One-way delays are in the report at the end."};
    for (const FlowSpec& flow : options.experiment.flows) {
        const std::string target = to_string(flow.target);
        if (std::ranges::find(about.hosts, target, &BoardHost::name) == about.hosts.end()) {
            about.hosts.push_back({.role = "receiver", .name = target});
        }
        about.flows.push_back({.id = flow.id,
                               .name = flow.name,
                               .transport = std::string(to_string(flow.transport)),
                               .from = flow.from_host,
                               .to = target,
                               .traffic = gaps_to_string(flow) + ", " + sizes_to_string(flow)});
    }
    return about;
}

}  // namespace

PostedSend::PostedSend(RunBoard& board, const SenderOptions& options, Clock& clock)
    : board_(board), clock_(clock), number_(board.begin(board_run(options, clock.wall_now()))) {}

PostedSend::~PostedSend() {
    board_.end(number_, {.at = clock_.wall_now(), .end = "failed"});
}

RowsWanted PostedSend::rows(const std::optional<RowsWanted>& wanted) {
    return {.interval = wanted ? wanted->interval : kBoardInterval,
            .take =
                [this, take = wanted ? wanted->take : nullptr](const IntervalRow& row) {
                    board_.add(number_, row);
                    if (take) {
                        take(row);
                    }
                },
            .beside_progress = not wanted or wanted->beside_progress};
}

void PostedSend::end(const std::string& text, const std::string& json, const std::vector<std::string>& failures) {
    BoardEnd over{.at = clock_.wall_now(), .end = failures.empty() ? "complete" : "failed"};
    over.report_text = text;
    for (const std::string& failure : failures) {
        over.report_text += (over.report_text.empty() ? "" : "\n") + failure + '\n';
    }
    if (not json.empty()) {
        const nlohmann::json report = parse_json(json);
        over.end = report.at("run").at("interrupted").get<bool>() ? "interrupted" : over.end;
        over.verdict = report.at("verdict").at("result");
        over.verdict_text = report.at("verdict").at("text");
        over.network = report.at("network").at("result");
        over.network_text = report.at("network").at("text");
        over.report_json = json;
    }
    board_.end(number_, std::move(over));
}

}  // namespace groma
