#include "common/page/page_json.hpp"

#include <nlohmann/json.hpp>

#include "common/figures/figure_json.hpp"

namespace groma {

namespace {

using Json = nlohmann::ordered_json;

std::string_view word_of(FigureType type) {
    switch (type) {
        case FigureType::integer:
            return "integer";
        case FigureType::real:
            return "real";
        case FigureType::flag:
            return "flag";
        case FigureType::text:
            break;
    }
    return "text";
}

Json unless_empty(const std::string& text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

void add_figures(Json& to, const RowFigures& row) {
    for (const Figure<RowFigures>& figure : live_figures()) {
        to.push_back(to_json(figure.of(row)));
    }
}

Json figures_of(const RowFigures& row) {
    Json figures = Json::array();
    add_figures(figures, row);
    return figures;
}

Json summary_json(const BoardEntry& entry) {
    const BoardEnd* const end = entry.end.get();
    return {{"number", entry.number},
            {"run_id", entry.run->run_id},
            {"experiment", entry.run->experiment},
            {"began_ns", ns_since_epoch(entry.run->began)},
            {"ended_ns", end == nullptr ? Json(nullptr) : Json(ns_since_epoch(end->at))},
            {"end", end == nullptr ? Json(nullptr) : Json(end->end)},
            {"verdict", end == nullptr ? Json(nullptr) : unless_empty(end->verdict)},
            {"network", end == nullptr ? Json(nullptr) : unless_empty(end->network)},
            {"flow_count", entry.flows}};
}

Json host_json(const BoardHost& host) {
    return {{"role", host.role}, {"name", host.name}, {"address", host.address}};
}

Json file_json(const BoardFile& file) {
    return {{"name", file.name},
            {"path", file.path},
            {"picture", file.picture},
            {"bytes", file.bytes ? Json(*file.bytes) : Json(nullptr)}};
}

Json flow_json(const BoardFlow& flow, const RowFigures& so_far) {
    return {{"flow", flow.id.value}, {"name", flow.name},       {"transport", flow.transport}, {"from", flow.from},
            {"to", flow.to},         {"traffic", flow.traffic}, {"so_far", figures_of(so_far)}};
}

}  // namespace

Json facts_json(const PageFacts& facts) {
    return {{"program", facts.program},
            {"version", GROMA_VERSION},
            {"instance", ns_since_epoch(facts.started)},
            {"charts", facts.charts}};
}

Json figure_heads_json() {
    Json heads = Json::array();
    for (const FigureHead& figure : live_figures()) {
        heads.push_back({{"name", figure.name}, {"type", word_of(figure.type)}, {"meaning", figure.meaning}});
    }
    return heads;
}

Json summaries_json(const std::vector<BoardEntry>& entries) {
    return array_of(entries, summary_json);
}

Json detail_json(const BoardDetail& detail) {
    const BoardRun& run = *detail.entry.run;
    const BoardEnd none;
    const BoardEnd& end = detail.entry.end ? *detail.entry.end : none;
    Json json = summary_json(detail.entry);
    json["hosts"] = array_of(run.hosts, host_json);
    json["note"] = unless_empty(run.note);
    json["verdict_text"] = unless_empty(end.verdict_text);
    json["network_text"] = unless_empty(end.network_text);
    json["report_text"] = not end.report_text.empty();
    json["report_json"] = not end.report_json.empty();
    json["files"] = array_of(end.files, file_json);
    json["rows"] = detail.entry.rows;
    json["so_far"] = figures_of(detail.entry.so_far);
    json["latest"] = figures_of(detail.entry.latest);
    json["flows"] = Json::array();
    for (std::size_t i = 0; i < detail.flows.size(); ++i) {
        json["flows"].push_back(flow_json(run.flows[i], detail.flows[i]));
    }
    return json;
}

Json history_json(const std::vector<RowFigures>& rows) {
    return array_of(rows, figures_of);
}

Json interval_json(const IntervalRow& row) {
    Json rows = Json::array();
    const auto add = [&rows](FlowId flow, const RowFigures& figures) {
        Json one = Json::array({flow.value});
        add_figures(one, figures);
        rows.push_back(std::move(one));
    };
    add(FlowId{0}, row.all);
    for (const FlowRow& flow : row.flows) {
        add(flow.flow, flow.figures);
    }
    return rows;
}

}  // namespace groma
