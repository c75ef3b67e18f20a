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

/// All logs (.glog and .glog.part) of a folder; why they are incomplete is asked of DIR/catalogue.sqlite, if there is
/// one. Throws: UsageError when there is no log in it.
[[nodiscard]] StoredExperiment open_stored_experiment(const std::filesystem::path& folder);

/// The logs among the names of a folder's files, in order. A log gets its name while the folder is read: what is seen
/// of it then may be both names or none, so `list` is asked until it says the same twice, as long as that takes in a
/// folder in which logs end now and then (kMostLooks times). A log and a part of a later one of that name are two.
[[nodiscard]] std::vector<std::string> settled_logs(const std::function<std::set<std::string>()>& list);
inline constexpr int kMostLooks = 10;

/// Puts the logs of each folder among these paths in its place, and leaves out those parts that have got their name
/// meanwhile, if that is there too. Returns: which of them are incomplete, and why.
/// Throws: as above.
[[nodiscard]] std::vector<std::string> put_logs_in_place_of_folders(std::vector<std::string>& logs);

}  // namespace groma
