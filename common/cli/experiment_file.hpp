// Experiment files on disk, and the files that they name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

#include "common/model/experiment/experiment.hpp"
#include "common/model/text/named_files.hpp"

namespace groma {

/// Reads named files. Relative names start in `folder`; empty: the current folder.
[[nodiscard]] NamedFiles named_files_in(const std::filesystem::path& folder);

/// The text of an experiment file, cut one byte beyond what is read at most. Throws: SystemError.
[[nodiscard]] std::string read_experiment_file(const std::filesystem::path& file);

/// Reads an experiment file and the files that it names, relative to its folder. Throws: as parse_experiment();
/// SystemError if a file cannot be read.
[[nodiscard]] Experiment load_experiment(const std::filesystem::path& file, std::uint64_t seed_if_none,
                                         std::optional<std::uint64_t> seed = {});

}  // namespace groma
