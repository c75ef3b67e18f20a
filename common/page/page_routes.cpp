#include "common/page/page_routes.hpp"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <iterator>
#include <limits>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "common/figures/figure_json.hpp"
#include "common/json/json_text.hpp"
#include "common/page/page_events.hpp"
#include "common/page/rows_csv.hpp"

namespace groma {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view kRuns = "/api/runs";
constexpr std::string_view kOfRun = "/api/runs/";

/// The page has no other sources than these, and stands in no frame of others.
constexpr std::string_view kContentPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

HttpResponse guarded(HttpResponse response) {
    response.fields.emplace_back("Content-Security-Policy", kContentPolicy);
    response.fields.emplace_back("Referrer-Policy", "no-referrer");
    response.fields.emplace_back("Cross-Origin-Resource-Policy", "same-origin");
    response.fields.emplace_back("Cross-Origin-Opener-Policy", "same-origin");
    return response;
}

/// Nothing: there is no such file.
std::optional<std::string> text_of(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    return in ? std::optional(std::string(std::istreambuf_iterator<char>(in), {})) : std::nullopt;
}

HttpResponse json_response(const Json& json) {
    return guarded({.content_type = "application/json", .body = json_text(json)});
}

HttpResponse not_found(const std::string& sentence) {
    return guarded(http_refusal(http_status::not_found, sentence));
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() and end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

/// The number that a parameter of the target has; nothing: it is no number. `absent`: without the parameter.
std::optional<std::uint64_t> parameter(std::string_view target, std::string_view name, std::uint64_t absent) {
    std::string_view rest = target.substr(std::min(target.find('?'), target.size()));
    while (not rest.empty()) {
        rest.remove_prefix(1);
        const std::string_view one = rest.substr(0, rest.find('&'));
        rest.remove_prefix(one.size());
        if (one.starts_with(name) and one.substr(name.size()).starts_with('=')) {
            return whole_number(one.substr(name.size() + 1));
        }
    }
    return absent;
}

/// To be saved, not shown.
HttpResponse download(std::string content_type, std::string body, const std::string& name) {
    HttpResponse response = guarded({.content_type = std::move(content_type), .body = std::move(body)});
    response.fields.emplace_back("Content-Disposition", "attachment; filename=\"" + name + "\"");
    return response;
}

/// In pieces: who does not read holds no copy of it.
HttpResponse report(std::shared_ptr<const BoardEnd> end, std::string BoardEnd::*text, std::string content_type,
                    const std::string& name) {
    constexpr std::size_t kPiece = std::size_t{64} << 10U;
    HttpResponse response = download(std::move(content_type), "", name);
    response.more = [end = std::move(end), text, at = std::size_t{0}]() mutable -> std::optional<std::string> {
        std::string piece = (*end.*text).substr(at, kPiece);
        at += piece.size();
        return piece.empty() ? std::nullopt : std::optional(std::move(piece));
    };
    return response;
}

class PageApi {
public:
    PageApi(PageFacts facts, const RunBoard& board) : facts_(std::move(facts)), board_(board) {}

    [[nodiscard]] HttpResponse runs() const {
        Json json = facts_json(facts_);
        json["figures"] = figure_heads_json();
        json["runs"] = summaries_json(board_.entries());
        return json_response(json);
    }

    [[nodiscard]] HttpResponse events(const HttpRequest& request) const {
        const auto run = parameter(request.target, "run", 0);
        const auto next = parameter(request.target, "next", 0);
        if (not run or not next) {
            return guarded(http_refusal(http_status::bad_request, "'run' and 'next' are whole numbers"));
        }
        auto events = std::make_shared<PageEvents>(board_, facts_, *run, *next);
        HttpResponse response = guarded({.content_type = "text/event-stream", .body = events->begin()});
        response.more = [events] { return std::optional(events->next()); };
        response.heartbeat = PageEvents::kHeartbeat;
        return response;
    }

    /// /api/runs/N, and what is below.
    [[nodiscard]] HttpResponse of_run(const HttpRequest& request) const {
        const std::string_view target = request.target;
        const std::string_view path = target.substr(kOfRun.size(), target.find('?') - kOfRun.size());
        const std::string_view number = path.substr(0, path.find('/'));
        const std::string_view what = path.substr(std::min(path.size(), number.size() + 1));
        const auto run = whole_number(number);
        const auto detail = run ? board_.detail(*run) : std::nullopt;
        if (not detail) {
            return not_found("there is no such run here, or no more: /api/runs has those that there are");
        }
        return path.size() == number.size() ? json_response(detail_json(*detail)) : of_run(*detail, what, request);
    }

private:
    [[nodiscard]] HttpResponse of_run(const BoardDetail& detail, std::string_view what,
                                      const HttpRequest& request) const {
        const std::shared_ptr<const BoardEnd>& end = detail.entry.end;
        const std::string name = "run-" + std::to_string(detail.entry.number);
        if (what == "rows.json") {
            return history(detail.entry.number, parameter(request.target, "flow", 0));
        }
        if (what == "rows.csv") {
            HttpResponse response = download("text/csv; charset=utf-8", "", name + ".csv");
            response.more = RowsCsv(board_, detail);
            return response;
        }
        if (what == "report.json" and end != nullptr and not end->report_json.empty()) {
            return report(end, &BoardEnd::report_json, "application/json", name + "-report.json");
        }
        if (what == "report.txt" and end != nullptr and not end->report_text.empty()) {
            return report(end, &BoardEnd::report_text, "text/plain; charset=utf-8", name + "-report.txt");
        }
        return not_found("this run has no such thing, or not yet");
    }

    [[nodiscard]] HttpResponse history(RunNumber run, const std::optional<std::uint64_t>& flow) const {
        if (not flow or *flow > std::numeric_limits<std::uint32_t>::max()) {
            return guarded(http_refusal(http_status::bad_request, "'flow' is a flow's number, or 0 for all together"));
        }
        const BoardHistory history = board_.history(run, FlowId{static_cast<std::uint32_t>(*flow)});
        return json_response(
            {{"run", run}, {"flow", *flow}, {"next", history.next}, {"rows", history_json(history.rows)}});
    }

    PageFacts facts_;
    const RunBoard& board_;
};

}  // namespace

HttpRoutes page_routes(HttpRoutes routes, const PageFacts& facts, const RunBoard& board,
                       const std::filesystem::path& charts) {
    for (const PageFile& file : page_files()) {
        routes.add(std::string(file.path), [&file](const HttpRequest&) {
            return guarded({.content_type = std::string(file.content_type), .body = std::string(file.text)});
        });
    }
    for (const ChartFile& file : chart_files()) {
        routes.add(std::string(file.path), [&file, from = chart_file(charts, file)](const HttpRequest&) {
            const std::optional<std::string> text = text_of(from);
            return text ? guarded({.content_type = std::string(file.content_type), .body = *text})
                        : not_found("the library that draws charts is not installed: apt install libjs-dygraphs");
        });
    }
    const auto api = std::make_shared<PageApi>(facts, board);
    routes.add(std::string(kRuns), [api](const HttpRequest&) { return api->runs(); });
    routes.add("/api/events", [api](const HttpRequest& request) { return api->events(request); });
    routes.add_below(std::string(kOfRun), [api](const HttpRequest& request) { return api->of_run(request); });
    return routes;
}

}  // namespace groma
