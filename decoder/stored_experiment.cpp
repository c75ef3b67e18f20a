#include "decoder/stored_experiment.hpp"

#include <SQLiteCpp/Database.h>
#include <SQLiteCpp/Statement.h>

#include <algorithm>
#include <map>
#include <optional>

#include "common/base/errors.hpp"

namespace groma {

namespace {

constexpr const char* kLog = ".glog";
constexpr const char* kPart = ".glog.part";
constexpr int kBusyTimeoutMs = 5000;

/// By the logs' names. Empty when there is no catalogue that can be read.
std::map<std::string, std::string> reasons_of(const std::filesystem::path& directory, const std::string& experiment) {
    std::map<std::string, std::string> reasons;
    try {
        const SQLite::Database database((directory / "catalogue.sqlite").string(), SQLite::OPEN_READONLY,
                                        kBusyTimeoutMs);
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

}  // namespace

StoredExperiment open_stored_experiment(const std::filesystem::path& folder) {
    StoredExperiment found;
    const auto absolute = std::filesystem::weakly_canonical(folder);
    const auto reasons = reasons_of(absolute.parent_path(), absolute.filename());
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(folder, error)) {
        std::string name = file.path().filename();
        if (name.ends_with(kPart)) {
            name.resize(name.size() - std::string_view(kPart).size());
            const auto reason = reasons.find(name);
            found.warnings.push_back(file.path().string() + " is incomplete" +
                                     (reason == reasons.end() ? std::string() : ": " + reason->second));
        } else if (not name.ends_with(kLog)) {
            continue;
        }
        found.logs.push_back(file.path().string());
    }
    if (found.logs.empty()) {
        throw UsageError(
            "there is no log in the folder " + folder.string() +
            (error ? ": " + error.message() : "; name a folder with files NAME.glog, as groma-log makes them"));
    }
    std::ranges::sort(found.logs);
    std::ranges::sort(found.warnings);
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
    logs = std::move(files);
    return warnings;
}

}  // namespace groma
