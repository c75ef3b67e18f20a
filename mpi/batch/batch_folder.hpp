// The folder of a batch: batch.sqlite, a copy of the experiment file, and a folder per run. Locked by one job at a
// time.
#pragma once

#include <filesystem>
#include <string>

#include "common/os/file_descriptor.hpp"

namespace groma {

class BatchFolder {
public:
    /// Creates the folder if necessary. Throws: SystemError; RunError if another job uses it.
    explicit BatchFolder(std::filesystem::path path);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Stores a copy of the experiment file with the results. Throws: SystemError.
    void keep_experiment(const std::string& text) const;

    /// Renames the folder of a run's earlier attempt to keep its measurements.
    /// Returns: the new name; empty if there is none. Throws: SystemError.
    [[nodiscard]] std::string set_aside(const std::string& run, unsigned attempt) const;

private:
    std::filesystem::path path_;
    FileDescriptor lock_;
};

}  // namespace groma
