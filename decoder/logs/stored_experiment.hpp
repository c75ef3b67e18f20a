// An experiment in the directory of a log server, as an argument of groma-dec: DIR/EXPERIMENT.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

namespace groma {

struct StoredExperiment {
    std::vector<std::string> logs;      ///< files, complete or not
    std::vector<std::string> warnings;  ///< a sentence for each log that is incomplete, with the reason
};

/// All logs (.glog and .glog.part) of a folder. DIR/catalogue.sqlite, if it exists, says why they are incomplete.
/// Throws: UsageError if it has no log.
[[nodiscard]] StoredExperiment open_stored_experiment(const std::filesystem::path& folder);

/// The logs among the names of a folder's files, in order. A log may be renamed while the folder is read, so that
/// `list` gives both of its names or none. It is called until it gives the same twice, at most kMostLooks times. A log
/// and a part of a later log of the same name are two logs.
[[nodiscard]] std::vector<std::string> settled_logs(const std::function<std::set<std::string>()>& list);
inline constexpr int kMostLooks = 10;

/// Replaces each folder among these paths by its logs. Omits parts that were renamed meanwhile, if the log is listed
/// under its name too. Returns: which of them are incomplete, and why.
/// Throws: as above.
[[nodiscard]] std::vector<std::string> put_logs_in_place_of_folders(std::vector<std::string>& logs);

}  // namespace groma
