#include "common/page/page_events.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "common/json/json_text.hpp"

namespace groma {

namespace {

using Json = nlohmann::ordered_json;

std::string event(std::string_view name, const Json& data) {
    return "event: " + std::string(name) + "\ndata: " + json_text(data) + "\n\n";
}

}  // namespace

PageEvents::PageEvents(const RunBoard& board, PageFacts facts, RunNumber run, std::uint64_t next)
    : board_(board), facts_(std::move(facts)), run_(run), next_(next) {}

std::string PageEvents::begin() {
    return event("hello", facts_json(facts_)) + next();
}

std::string PageEvents::next() {
    const std::uint64_t version = board_.version();
    return std::exchange(version_, version) == version ? std::string() : runs() + run();
}

std::string PageEvents::runs() {
    const std::vector<BoardEntry> entries = board_.entries();
    std::uint64_t version = 0;
    for (const BoardEntry& entry : entries) {
        version = std::max(version, entry.version);
    }
    const bool known = std::exchange(runs_version_, version) == version;
    return known ? std::string() : event("runs", {{"runs", summaries_json(entries)}});
}

std::string PageEvents::run() {
    if (run_ == 0 or gone_) {
        return {};
    }
    const RowsSince since = board_.rows_since(run_, next_);
    const std::optional<BoardDetail> detail = board_.detail(run_);
    if (not detail) {
        gone_ = true;
        return event("gone", {{"run", run_}});
    }
    std::string events;
    if (since.gap) {
        events += event("gap", {{"run", run_}});
    }
    std::uint64_t number = since.next - since.rows.size();
    for (const auto& row : since.rows) {
        events +=
            event("rows", {{"run", run_}, {"number", number++}, {"last", row->last}, {"rows", interval_json(*row)}});
    }
    next_ = since.next;
    if (std::exchange(run_version_, detail->entry.version) != detail->entry.version) {
        events += event("run", detail_json(*detail));
    }
    return events;
}

}  // namespace groma
