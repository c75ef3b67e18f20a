#include "decoder/files/json_report.hpp"

#include <type_traits>

#include "common/figures/figure_json.hpp"
#include "common/stats/fidelity/requirement_figures.hpp"
#include "decoder/files/json_pieces.hpp"
#include "decoder/files/json_stream.hpp"
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
        constexpr bool kIsSeries = std::is_same_v<decltype(figures), const FigureTable<SeriesRow>&>;
        if constexpr (not kIsSeries) {
            if (name.json != nullptr) {
                json[name.json] = records_json(figures, records_of(flow));
            }
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

void write_series(JsonStream& json, const KnownSeries& series) {
    json.key("series");
    json.begin_array();
    series.for_each_row([&json](const SeriesRow& row) { json.value(figures_json(series_figures(), row)); });
    json.end();
}

/// A flow, a group or a total.
void write_with_series(JsonStream& json, const Json& members, const KnownSeries& series) {
    json.begin_object();
    json.members(members);
    write_series(json, series);
    json.end();
}

void write_run(JsonStream& json, const RunResult& run) {
    json.begin_object();
    json.members(run_head_json(run));
    json.key("logs");
    json.begin_array();
    for (const LogResult& log : run.logs) {
        json.value(log_json(log));
    }
    json.end();
    json.key("flows");
    json.begin_array();
    for (const FlowResult& flow : run.flows) {
        write_with_series(json, flow_json(flow), flow.series);
    }
    json.end();
    json.key("total");
    write_with_series(json, total_json(run.total), run.total.series);
    json.key("groups");
    json.begin_array();
    for (const GroupResult& group : run.groups) {
        write_with_series(json, group_json(group, run.group_keys), group.total.series);
    }
    json.end();
    json.key("requirements");
    json.value(requirements_json(run.requirements));
    json.end();
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
    return figures_json(total_figures(), total);
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

void write_json_report(const Results& results, const std::function<void(std::string_view)>& write) {
    JsonStream json(write);
    json.begin_object();
    json.members({{"schema", "groma-dec 2"},
                  {"program", "groma-dec " GROMA_VERSION},
                  {"complete", not results.damaged},
                  {"warnings", results.warnings}});
    json.key("runs");
    json.begin_array();
    for (const RunResult& run : results.runs) {
        write_run(json, run);
    }
    json.end();
    json.end();
    write("\n");
}

}  // namespace groma
