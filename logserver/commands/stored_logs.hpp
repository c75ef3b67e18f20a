// Helpers for the groma-log commands that read a log server's directory.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "logserver/store/log_catalogue.hpp"

namespace groma {

/// The current file of a log: NAME.glog if complete, else NAME.glog.part (or NAME.glog, briefly, during completion).
[[nodiscard]] std::filesystem::path current_file(const std::filesystem::path& directory, const CatalogueEntry& entry);

/// The logs of the experiment of this name, or of the only one whose name begins with it; at least one. Throws:
/// RunError with the names that may be meant if there is none, or are several.
[[nodiscard]] std::vector<CatalogueEntry> logs_of(const LogCatalogue& catalogue, const std::string& experiment);

/// "EXPERIMENT/NAME"
[[nodiscard]] std::string full_name(const CatalogueEntry& entry);

/// As in JSON: 16 hex digits.
[[nodiscard]] std::string hash_text(std::uint64_t hash);

}  // namespace groma
