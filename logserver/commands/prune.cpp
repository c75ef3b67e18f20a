#include "logserver/commands/prune.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "logserver/commands/stored_logs.hpp"
#include "logserver/store/log_catalogue.hpp"
#include "logserver/store/log_directory.hpp"
#include "logserver/store/log_file.hpp"

namespace groma {

namespace {

using Experiments = std::map<std::string, std::vector<CatalogueEntry>>;

/// The catalogue's time format, so that times compare as texts.
std::string catalogue_time(WallTime time) {
    const std::time_t seconds = ns_since_epoch(time) / 1'000'000'000;
    std::tm utc{};
    ::gmtime_r(&seconds, &utc);
    constexpr std::size_t kLength = 19;
    std::string text(kLength + 1, ' ');
    text.resize(std::strftime(text.data(), text.size(), "%Y-%m-%d %H:%M:%S", &utc));
    return text;
}

Experiments experiments_asked_for(const LogCatalogue& catalogue, const StoredLogsRequest& request) {
    Experiments found;
    for (const std::string& experiment : request.experiments) {
        std::vector<CatalogueEntry> logs = logs_of(catalogue, experiment);
        const std::string& name = logs.front().experiment;
        if (name != experiment) {
            throw RunError("'" + plain_text(experiment) + "' is the beginning of '" + name +
                           "': write the whole name, because what is pruned is gone");
        }
        found[experiment] = std::move(logs);
    }
    if (request.experiments.empty()) {
        for (CatalogueEntry& entry : catalogue.all()) {
            found[entry.experiment].push_back(entry);
        }
    }
    return found;
}

void remove_log(const std::filesystem::path& file) {
    for (const auto& each : {file, part_of(file)}) {
        std::error_code error;
        std::filesystem::remove(each, error);
        // There may never have been a folder, if a file has its name.
        if (error and error != std::errc::not_a_directory) {
            throw SystemError("delete " + each.string(), error.value());
        }
    }
}

}  // namespace

Pruning prune_logs(const StoredLogsRequest& request, WallTime now) {
    LogCatalogue catalogue(request.directory,
                           request.dry_run ? LogCatalogue::Access::read : LogCatalogue::Access::write);
    // Without a server no log is being written, even if a crashed server's catalogue says so.
    const FileDescriptor no_server = lock_directory(request.directory);
    const std::string oldest = request.older_than ? catalogue_time(now - *request.older_than) : std::string();
    Pruning result;
    for (const auto& [experiment, logs] : experiments_asked_for(catalogue, request)) {
        const bool recent = std::ranges::any_of(
            logs, [&](const CatalogueEntry& entry) { return not oldest.empty() and entry.changed_at > oldest; });
        for (const CatalogueEntry& entry : logs) {
            if (recent) {
                continue;
            }
            const bool writing = entry.state == LogState::writing and not no_server.valid();
            const auto file = file_of_log(request.directory, entry.experiment, entry.name);
            const bool goes = request.dry_run
                                  ? not writing
                                  : catalogue.forget(entry.id, no_server.valid(), [&] { remove_log(file); });
            (goes ? result.deleted : result.kept).push_back(full_name(entry));
            result.bytes += goes ? entry.bytes : 0;
        }
        if (not request.dry_run) {
            // Removes only an empty folder; the name may belong to another file.
            ::rmdir((request.directory / experiment).c_str());
        }
    }
    return result;
}

}  // namespace groma
