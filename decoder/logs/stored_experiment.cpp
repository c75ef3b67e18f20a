#include "decoder/logs/stored_experiment.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <system_error>
#include <utility>

#include "common/base/errors.hpp"
#include "common/log/log_part.hpp"
#include "common/sqlite/database_kind.hpp"

namespace groma {

namespace {

constexpr const char* kLog = ".glog";

/// By the logs' names. Empty without a readable catalogue.
std::map<std::string, std::string> reasons_of(const std::filesystem::path& directory, const std::string& experiment) {
    std::map<std::string, std::string> reasons;
    try {
        const SQLite::Database database = open_to_read(directory / "catalogue.sqlite");
        SQLite::Statement query(database,
                                "SELECT logs.name, coalesce(reason, 'it is being written') FROM logs JOIN experiments "
                                "ON experiments.id = experiment WHERE experiments.name = ? AND state != 'complete'");
        query.bind(1, experiment);
        while (query.executeStep()) {
            reasons[query.getColumn(0).getString()] = query.getColumn(1).getString();
        }
    } catch (const SQLite::Exception&) {
        // Logs can be decoded without it, from a copy of the folder for instance.
    }
    return reasons;
}

bool is_log(const std::string& file) {
    return log_of_part(file).ends_with(kLog);
}

/// A part that has got its name since it was found.
bool is_gone(const std::string& file) {
    std::error_code unknown;
    return is_part_of_log(file) and not std::filesystem::exists(file, unknown);
}

}  // namespace

std::vector<std::string> settled_logs(const std::function<std::set<std::string>()>& list) {
    std::set<std::string> names = list();
    bool settled = false;
    for (int look = 1; look < kMostLooks and not settled; ++look) {
        std::set<std::string> again = list();
        settled = again == names;
        names = std::move(again);
    }
    std::vector<std::string> logs;
    std::ranges::copy_if(names, std::back_inserter(logs), is_log);
    return logs;
}

StoredExperiment open_stored_experiment(const std::filesystem::path& folder) {
    StoredExperiment found;
    const auto absolute = std::filesystem::weakly_canonical(folder);
    const auto reasons = reasons_of(absolute.parent_path(), absolute.filename());
    std::error_code error;
    found.logs = settled_logs([&] {
        std::set<std::string> names;
        for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
            names.insert(file.path().string());
        }
        return names;
    });
    std::error_code unknown;
    const auto is_empty_part = [&unknown](const std::string& log) {
        return is_part_of_log(log) and std::filesystem::file_size(log, unknown) == 0;
    };
    if (not std::ranges::all_of(found.logs, is_empty_part)) {
        std::erase_if(found.logs, [&](const std::string& log) {
            const bool empty = is_empty_part(log);
            if (empty) {
                found.warnings.push_back(log +
                                         " is empty, and left out: nothing of this log came here, and the host that "
                                         "wrote it may still have it");
            }
            return empty;
        });
    }
    for (const std::string& log : found.logs) {
        if (is_part_of_log(log)) {
            const auto reason = reasons.find(std::filesystem::path(log_of_part(log)).stem());
            found.warnings.push_back(log + " is incomplete" +
                                     (reason == reasons.end() ? std::string() : ": " + reason->second));
        }
    }
    if (found.logs.empty()) {
        throw UsageError(
            "there is no log in the folder " + folder.string() +
            (error ? ": " + error.message() : "; name a folder with files NAME.glog, as groma-log makes them"));
    }
    return found;
}

std::vector<std::string> put_logs_in_place_of_folders(std::vector<std::string>& logs) {
    std::vector<std::string> files;
    std::vector<std::string> warnings;
    for (std::string& log : logs) {
        if (not std::filesystem::is_directory(log)) {
            files.push_back(std::move(log));
            continue;
        }
        const StoredExperiment stored = open_stored_experiment(log);
        files.insert(files.end(), stored.logs.begin(), stored.logs.end());
        warnings.insert(warnings.end(), stored.warnings.begin(), stored.warnings.end());
    }
    const std::set<std::string> names(files.begin(), files.end());
    std::erase_if(files, [&](const std::string& file) { return is_gone(file) and names.contains(log_of_part(file)); });
    logs = std::move(files);
    return warnings;
}

}  // namespace groma
