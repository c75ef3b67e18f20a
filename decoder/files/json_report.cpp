#include "decoder/files/json_report.hpp"

#include <type_traits>

#include "common/figures/figure_json.hpp"
#include "common/json/json_text.hpp"
#include "common/stats/fidelity/requirement_figures.hpp"
#include "decoder/files/json_pieces.hpp"
#include "decoder/results/figures.hpp"
#include "decoder/results/flow_tables.hpp"

namespace groma {

namespace {

template <typename Record>
Json records_json(const FigureTable<Record>& figures, const std::vector<Record>& records) {
    return rows_json(figures, records);
}
template <typename Record>
Json records_json(const FigureTable<Record>& figures, const Record* record) {
    return record != nullptr ? figures_json(figures, *record) : Json(nullptr);
}

void add_lists(Json& json, const FlowResult& flow) {
    for_each_flow_table([&](const FlowTableName& name, const auto& figures, auto records_of) {
        if (name.json != nullptr) {
            json[name.json] = records_json(figures, records_of(flow));
        }
    });
    for (std::size_t i = 0; i < flow.connections.size(); ++i) {
        json["connections"][i]["samples"] = rows_json(sample_figures(), flow.connections[i].samples);
    }
}

void add_counters(Json& json, const FlowResult& flow) {
    json["sent_counters"] = flow.sent ? Json::object() : Json(nullptr);
    json["received_counters"] = flow.received ? Json::object() : Json(nullptr);
    for (const CounterRow& row : counter_rows(flow)) {
        json[row.side == LogRole::sender ? "sent_counters" : "received_counters"][std::string(row.name)] = row.count;
    }
}

Json run_json(const RunResult& run) {
    Json json = run_head_json(run);
    json["logs"] = array_of(run.logs, log_json);
    json["flows"] = array_of(run.flows, flow_json);
    json["total"] = total_json(run.total);
    json["groups"] = array_of(run.groups, [&](const GroupResult& it) { return group_json(it, run.group_keys); });
    json["requirements"] = requirements_json(run.requirements);
    return json;
}

}  // namespace

Json run_head_json(const RunResult& run) {
    Json json = figures_json(run_figures(), run);
    json["clock_steps"] = rows_json(clock_step_figures(), run.clock.fit.steps);
    return json;
}

Json log_json(const LogResult& log) {
    Json json = figures_json(log_figures(), log);
    json["gaps"] = rows_json(log_gap_figures(), log.gaps);
    json["events"] = rows_json(log_event_figures(), log.events);
    return json;
}

Json flow_json(const FlowResult& flow) {
    Json json = figures_json(flow_result_figures(), flow);
    add_counters(json, flow);
    json["notes"] = flow.notes;
    add_lists(json, flow);
    return json;
}

Json total_json(const TotalResult& total) {
    Json json = figures_json(total_figures(), total);
    json["series"] = rows_json(series_figures(), total.series.rows());
    return json;
}

Json group_json(const GroupResult& group, const std::vector<GroupKey>& keys) {
    Json json{{"name", group.name}};
    for (std::size_t i = 0; i < keys.size(); ++i) {
        json[std::string(to_string(keys[i]))] = group.values[i];
    }
    json["members"] = array_of(group.flows, [](const auto& member) {
        return Json{{"flow", member.first.value}, {"receiver", member.second}};
    });
    json.update(total_json(group.total));
    return json;
}

Json requirements_json(const std::vector<CheckedRequirement>& requirements) {
    return rows_json(requirement_figures(), requirements);
}

std::string json_report(const Results& results) {
    const Json json{{"schema", "groma-dec 2"},
                    {"program", "groma-dec " GROMA_VERSION},
                    {"complete", not results.damaged},
                    {"warnings", results.warnings},
                    {"runs", array_of(results.runs, run_json)}};
    return json_text(json, 1) + '\n';
}

}  // namespace groma
