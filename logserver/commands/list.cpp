#include "logserver/commands/list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <utility>
#include <vector>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/table.hpp"
#include "common/cli/wrapped_text.hpp"
#include "common/json/json_text.hpp"
#include "common/model/text/human.hpp"
#include "logserver/commands/stored_logs.hpp"
#include "logserver/server_counters.hpp"
#include "logserver/store/log_catalogue.hpp"

namespace groma {

namespace {

using Json = nlohmann::ordered_json;
constexpr int kIndent = 2;

const char* state_name(LogState state) {
    return state == LogState::complete ? "complete" : state == LogState::writing ? "writing" : "incomplete";
}

std::string owner_text(const CatalogueEntry& entry) {
    return entry.owner.empty() ? "-" : entry.owner;
}

Json json_of(const std::filesystem::path& directory, const CatalogueEntry& entry) {
    Json log;
    log["experiment"] = entry.experiment;
    log["name"] = entry.name;
    log["node"] = entry.node;
    log["owner"] = entry.owner.empty() ? Json() : Json(entry.owner);
    log["state"] = state_name(entry.state);
    log["reason"] = entry.reason.empty() ? Json() : Json(entry.reason);
    log["pieces"] = entry.pieces;
    log["bytes"] = entry.bytes;
    log["xxh3_64"] = hash_text(entry.hash);
    log["opened_at"] = entry.opened_at;
    log["changed_at"] = entry.changed_at;
    log["closed_at"] = entry.closed_at.empty() ? Json() : Json(entry.closed_at);
    log["file"] = current_file(directory, entry).string();
    return log;
}

std::string list_json(const std::filesystem::path& directory, std::span<const CatalogueEntry> entries,
                      const CounterValues& counters) {
    Json document;
    document["logs"] = Json::array();
    for (const CatalogueEntry& entry : entries) {
        document["logs"].push_back(json_of(directory, entry));
    }
    document["counters"] = counters;
    return json_text(document, kIndent) + '\n';
}

/// Those of an experiment together, in the order in which the first log of each was opened.
std::vector<CatalogueEntry> by_experiment(std::vector<CatalogueEntry> entries) {
    std::map<std::string, std::size_t> order;
    for (const CatalogueEntry& entry : entries) {
        order.emplace(entry.experiment, order.size());
    }
    std::ranges::stable_sort(entries, {}, [&order](const CatalogueEntry& entry) { return order.at(entry.experiment); });
    return entries;
}

/// Without what is the same of when it was opened: the day, or the year.
std::string closed_text(const CatalogueEntry& entry) {
    constexpr std::size_t kTimeAt = std::string_view("2027-11-25 ").size();
    constexpr std::size_t kMonthAt = std::string_view("2027-").size();
    const std::string& closed = entry.closed_at;
    const auto same = [&](std::size_t to) { return closed.substr(0, to) == entry.opened_at.substr(0, to); };
    return closed.empty()   ? "-"
           : same(kTimeAt)  ? closed.substr(kTimeAt)
           : same(kMonthAt) ? closed.substr(kMonthAt)
                            : closed;
}

/// A line with the name before the logs of each experiment, and one with the reason after a log that has one.
std::string table_of(const std::vector<CatalogueEntry>& entries) {
    constexpr std::size_t kIndentOfLogs = 2;
    constexpr std::size_t kIndentOfReasons = 6;
    Table table({{"log", Align::left},
                 {"owner", Align::left},
                 {"state", Align::left},
                 {"bytes"},
                 {"opened (UTC)", Align::left},
                 {"closed", Align::left}});
    for (const CatalogueEntry& entry : entries) {
        const std::string state = entry.state == LogState::incomplete ? "incomplete" : state_text(entry);
        table.add_row(
            {entry.name, owner_text(entry), state, human_bytes(entry.bytes), entry.opened_at, closed_text(entry)});
    }
    std::istringstream lines(table.to_string(kIndentOfLogs));
    std::string line;
    std::getline(lines, line);
    std::string text = line + '\n';
    std::string_view experiment;
    for (const CatalogueEntry& entry : entries) {
        if (experiment != entry.experiment) {
            experiment = entry.experiment;
            text += plain_text(experiment) + '\n';
        }
        std::getline(lines, line);
        text += line + '\n';
        if (not entry.reason.empty()) {
            text.append(kIndentOfReasons - 1, ' ');
            append_wrapped(text, kIndentOfReasons - 1, kIndentOfReasons, plain_text(entry.reason));
        }
    }
    return text;
}

}  // namespace

std::string list_logs(const StoredLogsRequest& request) {
    const LogCatalogue catalogue(request.directory, LogCatalogue::Access::read);
    std::vector<CatalogueEntry> entries = catalogue.all();
    const CounterValues counters = catalogue.counters();
    if (request.json) {
        return list_json(request.directory, entries, counters);
    }
    entries = by_experiment(std::move(entries));
    std::uint64_t bytes = 0;
    for (const CatalogueEntry& entry : entries) {
        bytes += entry.bytes;
    }
    const std::string logs = entries.empty() ? "no logs yet\n"
                                             : fmt::format("{}{}, {}\n", table_of(entries),
                                                           counted(entries.size(), "log"), human_bytes(bytes));
    return counters.empty() ? logs : fmt::format("{}counted by the server: {}\n", logs, to_string(counters));
}

std::string show_experiment(const StoredLogsRequest& request) {
    const LogCatalogue catalogue(request.directory, LogCatalogue::Access::read);
    const auto entries = logs_of(catalogue, request.experiments.front());
    if (request.json) {
        return list_json(request.directory, entries, catalogue.counters());
    }
    std::string text;
    for (const CatalogueEntry& entry : entries) {
        Table table({{full_name(entry), Align::left}, {state_text(entry), Align::left}});
        table.add_row({"from host", entry.node});
        table.add_row({"owner", owner_text(entry)});
        table.add_row({"bytes", std::to_string(entry.bytes) + " in " + counted(entry.pieces, "piece")});
        table.add_row({"XXH3-64", hash_text(entry.hash)});
        table.add_row({"opened (UTC)", entry.opened_at});
        table.add_row({"changed (UTC)", entry.changed_at});
        table.add_row({"closed (UTC)", entry.closed_at.empty() ? "-" : entry.closed_at});
        table.add_row({"file", current_file(request.directory, entry).string()});
        text += fmt::format("{}{}", text.empty() ? "" : "\n", table.to_string());
    }
    return text;
}

}  // namespace groma
