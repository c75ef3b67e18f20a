// What the commands of groma-log that look at a log server's directory have in common.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "logserver/store/log_catalogue.hpp"

namespace groma {

/// The file that holds a log now: NAME.glog when it is complete, otherwise NAME.glog.part (or NAME.glog, for a moment
/// while it is being completed).
[[nodiscard]] std::filesystem::path current_file(const std::filesystem::path& directory, const CatalogueEntry& entry);

/// The logs of an experiment. Throws: RunError, with the names that there are, when there are none.
[[nodiscard]] std::vector<CatalogueEntry> logs_of(const LogCatalogue& catalogue, const std::string& experiment);

/// "EXPERIMENT/NAME"
[[nodiscard]] std::string full_name(const CatalogueEntry& entry);

/// As JSON has it: 16 hex digits.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

}  // namespace groma
