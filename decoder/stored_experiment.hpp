// An experiment in the directory of a log server, as an argument of groma-dec: DIR/EXPERIMENT.
#pragma once

#include <filesystem>
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

/// Puts the logs of each folder among these paths in its place. Returns: which of them are incomplete, and why.
/// Throws: as above.
[[nodiscard]] std::vector<std::string> put_logs_in_place_of_folders(std::vector<std::string>& logs);

}  // namespace groma
