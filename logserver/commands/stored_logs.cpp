#include "logserver/commands/stored_logs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "common/base/errors.hpp"
#include "common/base/nearest.hpp"
#include "common/base/plain_text.hpp"
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
    if (auto logs = catalogue.of_experiment(experiment); not logs.empty()) {
        return logs;
    }
    std::set<std::string, std::less<>> names;
    for (const CatalogueEntry& entry : catalogue.all()) {
        names.insert(entry.experiment);
    }
    std::vector<std::string_view> longer;
    std::ranges::copy_if(names, std::back_inserter(longer), [&](const std::string& name) {
        return not experiment.empty() and name.starts_with(experiment);
    });
    if (longer.size() == 1) {
        return catalogue.of_experiment(std::string(longer.front()));
    }
    const std::vector<std::string_view> known(names.begin(), names.end());
    throw RunError("there is no experiment '" + plain_text(experiment) + "' in the catalogue" +
                   (longer.empty() ? did_you_mean(experiment, known) : ": write " + one_of(longer)) +
                   " (groma-log list shows all)");
}

std::string full_name(const CatalogueEntry& entry) {
    return entry.experiment + '/' + entry.name;
}

std::string hash_text(std::uint64_t hash) {
    return fmt::format("{:016x}", hash);
}

}  // namespace groma
