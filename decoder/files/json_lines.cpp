#include "decoder/files/json_lines.hpp"

#include <string>

#include "common/figures/figure_json.hpp"
#include "common/json/json_text.hpp"
#include "decoder/files/json_pieces.hpp"
#include "decoder/results/figures.hpp"

namespace groma {

namespace {

using Write = std::function<void(std::string_view)>;

/// `type` and `about` in front of `members`.
void write_line(const Write& write, const char* type, const Json& about, const Json& members) {
    Json line{{"type", type}};
    line.update(about);
    line.update(members);
    write(json_text(line) + '\n');
}

/// What has a series: its own line, and one for each interval.
void write_with_series(const Write& write, const char* type, const Json& run, const Json& members,
                       const KnownSeries& series) {
    write_line(write, type, run, members);
    Json about = run;
    const bool of_flow = members.contains("flow");
    about["flow"] = of_flow ? members["flow"] : Json(0);
    about["name"] = members.contains("name") ? members["name"] : Json("total");
    about["receiver"] = of_flow ? members["receiver"] : Json(nullptr);
    series.for_each_row(
        [&](const SeriesRow& row) { write_line(write, "interval", about, figures_json(series_figures(), row)); });
}

}  // namespace

void write_json_lines(const Results& results, const Write& write) {
    write_line(
        write, "report", Json::object(),
        {{"schema", "groma-dec lines 2"}, {"program", "groma-dec " GROMA_VERSION}, {"complete", not results.damaged}});
    for (const std::string& warning : results.warnings) {
        write_line(write, "warning", Json::object(), {{"text", warning}});
    }
    for (const RunResult& run : results.runs) {
        const Json id{{"run_id", run.run_id}};
        write_line(write, "run", Json::object(), run_head_json(run));
        for (const LogResult& log : run.logs) {
            write_line(write, "log", id, log_json(log));
        }
        for (const FlowResult& flow : run.flows) {
            write_with_series(write, "flow", id, flow_json(flow), flow.series);
        }
        write_with_series(write, "total", id, total_json(run.total), run.total.series);
        for (const GroupResult& group : run.groups) {
            write_with_series(write, "group", id, group_json(group, run.group_keys), group.total.series);
        }
        for (const Json& requirement : requirements_json(run.requirements)) {
            write_line(write, "requirement", id, requirement);
        }
    }
}

}  // namespace groma
