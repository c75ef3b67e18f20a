#include "decoder/html/html_report.hpp"

#include <fmt/format.h>

#include "common/base/base64.hpp"
#include "common/base/counted.hpp"
#include "decoder/html/html.hpp"
#include "decoder/html/html_figures.hpp"
#include "decoder/html/html_origin.hpp"
#include "decoder/results/run_verdict.hpp"
#include "decoder/text/text_parts.hpp"

namespace groma {

namespace {

constexpr std::size_t kMostFileBytes = 200'000;
constexpr std::size_t kMostWarnings = 100;

constexpr std::string_view kStyle = R"css(
body { font: 15px/1.45 sans-serif; color: #222; max-width: 76rem; margin: 1.5rem auto; padding: 0 1rem; }
h1 { font-size: 1.6rem; margin-bottom: .2rem; } h2 { font-size: 1.25rem; border-bottom: 1px solid #999; margin-top: 2rem; }
h3 { font-size: 1rem; margin: 1.2rem 0 .3rem; } p.under { color: #555; margin-top: 0; }
.verdict { border: 2px solid #444; border-left-width: 1rem; padding: .5rem .9rem; margin: 1rem 0; font-size: 1.15rem; }
.as_asked { border-color: #009E73; } .within { border-color: #E69F00; } .not_as_asked { border-color: #D55E00; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-size: .87rem; }
th, td { padding: .15rem .55rem; text-align: right; border-bottom: 1px solid #ddd; white-space: nowrap; }
th { border-bottom: 1px solid #666; } .text { text-align: left; } td.text { white-space: normal; max-width: 26rem; }
tr.total td { font-weight: bold; border-top: 1px solid #666; }
pre { font-size: .8rem; overflow-x: auto; background: #f6f6f6; padding: .6rem; }
figure { margin: 1rem 0; } figure img { max-width: 100%; height: auto; }
@media print { body { font-size: 10pt; max-width: none; margin: 0; } h2 { break-after: avoid; } figure, tr { break-inside: avoid; }
  .wide { overflow: visible; } th, td { white-space: normal; } pre { white-space: pre-wrap; } details > summary { display: none; } }
)css";

std::string verdict_box(const RunResult& run) {
    const RunVerdict verdict = judge(run);
    const std::string kind = verdict.worst ? std::string(to_string(verdict.worst->result)) : "unknown";
    return fmt::format("<p class=\"verdict {}\"><b>Sent {}</b></p>\n", kind, html_text(verdict.text));
}

/// As images: a browser runs nothing in them and loads nothing for them.
std::string pictures_of(const ReportContent& content, std::size_t run) {
    std::string figures;
    std::size_t number = 0;
    for (const ReportPicture& picture : content.pictures) {
        ++number;
        if (picture.run == run) {
            const std::string name = html_text(picture.stem);
            figures +=
                fmt::format("<figure id=\"{}-{}\">\n<img alt=\"{}\" src=\"data:image/svg+xml;base64,{}\">\n</figure>\n",
                            number, name, name, base64(std::as_bytes(std::span(picture.svg))));
        }
    }
    if (figures.empty()) {
        const std::string& why = content.no_pictures_because;
        figures = fmt::format("<p>No pictures: {}</p>\n", html_text(why.empty() ? "nothing to draw" : why));
    }
    return html_section("Pictures", figures);
}

std::string experiment_of(const ReportContent& content, const RunResult& run) {
    std::string body;
    if (not content.experiment_file.empty()) {
        body = fmt::format("<p>{}</p>\n<pre>{}</pre>\n", html_text(content.experiment_path),
                           html_lines(content.experiment_file, kMostFileBytes));
    }
    return html_section("The experiment", body + html_flow_specs(run));
}

std::string warnings_of(const ReportContent& content) {
    std::string items;
    std::size_t count = 0;
    for (const auto* list : {&content.warnings, &content.results.warnings}) {
        for (const std::string& warning : *list) {
            items += ++count <= kMostWarnings ? "<li>" + html_text(warning) + "</li>\n" : std::string();
        }
    }
    if (count > kMostWarnings) {
        items += fmt::format("<li>and {} more</li>\n", count - kMostWarnings);
    }
    return html_section("Warnings", items.empty() ? items : "<ul>\n" + items + "</ul>\n");
}

std::string run_part(const ReportContent& content, std::size_t number) {
    const RunResult& run = content.results.runs[number];
    const ShownFlows shown = shown_flows(run);
    std::string name = run.experiment.empty() ? "run " + run.run_id.substr(0, 8) : run.experiment;
    if (number == 0 and not content.title.empty()) {
        name = content.title;
    }
    return fmt::format("<article>\n<h1>{}</h1>\n<p class=\"under\">started {}, {}</p>\n", html_text(name, 200),
                       utc_text(run.started_at), counted(run.total.flows, "flow")) +
           verdict_box(run) + (number == 0 ? warnings_of(content) : std::string()) + html_fidelity(run, shown) +
           html_network(run, shown) + pictures_of(content, number) + html_origin(run) + html_errors(run) +
           experiment_of(content, run) + "</article>\n";
}

}  // namespace

std::string html_report(const ReportContent& content) {
    std::string title = content.title;
    if (title.empty() and not content.results.runs.empty()) {
        title = content.results.runs.front().experiment;
    }
    std::string html = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<meta name=\"viewport\" content=\"width=device-width\">\n<meta http-equiv=\"Content-Security-Policy\" "
        "content=\"default-src 'none'; img-src data:; style-src "
        "'unsafe-inline'\">\n<title>{}</title>\n<style>{}</style>\n</head>\n<body>\n",
        html_text(title.empty() ? "Groma" : title, 200), kStyle);
    for (std::size_t i = 0; i < content.results.runs.size(); ++i) {
        html += run_part(content, i);
    }
    return html + fmt::format(
                      "<footer><p class=\"under\">made by groma-dec {}: {}. Every figure is defined in "
                      "docs/reference/metrics.md.</p></footer>\n</body>\n</html>\n",
                      GROMA_VERSION, html_text(content.command));
}

}  // namespace groma
