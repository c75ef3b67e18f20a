// Experiments on the disk: their files, and the files that these name.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "common/model/experiment/experiment.hpp"
#include "common/model/text/named_files.hpp"

namespace groma {

/// Those whose names, if they are relative, begin in `folder`; empty: in the current one.
[[nodiscard]] NamedFiles named_files_in(const std::filesystem::path& folder);

/// The text of an experiment file, cut one byte beyond what is read at most. Throws: SystemError.
[[nodiscard]] std::string read_experiment_file(const std::filesystem::path& file);

/// Reads an experiment file, and the files that it names, whose names begin in its folder.
/// Throws: as parse_experiment(); SystemError when it cannot be read.
[[nodiscard]] Experiment load_experiment(const std::filesystem::path& file, std::uint64_t seed_if_none);

}  // namespace groma
