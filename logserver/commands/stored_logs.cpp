#include "logserver/commands/stored_logs.hpp"

#include <fmt/format.h>

#include <set>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "logserver/store/log_directory.hpp"
#include "logserver/store/log_file.hpp"

namespace groma {

std::filesystem::path current_file(const std::filesystem::path& directory, const CatalogueEntry& entry) {
    const auto file = file_of_log(directory, entry.experiment, entry.name);
    std::error_code ignored;
    const bool finished = entry.state == LogState::complete or not std::filesystem::exists(part_of(file), ignored);
    return finished ? file : part_of(file);
}

std::vector<CatalogueEntry> logs_of(const LogCatalogue& catalogue, const std::string& experiment) {
    auto logs = catalogue.of_experiment(experiment);
    if (logs.empty()) {
        const auto all = catalogue.all();
        std::vector<std::string_view> names;
        names.reserve(all.size());
        for (const CatalogueEntry& entry : all) {
            names.emplace_back(entry.experiment);
        }
        const auto meant = nearest(experiment, names);
        throw RunError("there is no experiment '" + experiment + "' in the catalogue" +
                       (meant ? ": did you mean '" + std::string(*meant) + "'?" : "; see groma-log list"));
    }
    return logs;
}

std::string full_name(const CatalogueEntry& entry) {
    return entry.experiment + '/' + entry.name;
}

std::string hash_text(std::uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

}  // namespace groma
