// The folder of a batch: batch.sqlite, a copy of the experiment file, and a folder for each run. One job at a time has
// it.
#pragma once

#include <filesystem>
#include <string>

#include "common/os/file_descriptor.hpp"

namespace groma {

class BatchFolder {
public:
    /// Makes the folder if need be. Throws: SystemError; RunError when another job is at work in it.
    explicit BatchFolder(std::filesystem::path path);

    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

    /// Leaves a copy of the experiment file, for those who find the results later. Throws: SystemError.
    void keep_experiment(const std::string& text) const;

    /// Renames the folder of a run's earlier attempt, so that nothing that was measured is lost.
    /// Returns: its name; empty when there is none. Throws: SystemError.
    [[nodiscard]] std::string set_aside(const std::string& run, unsigned attempt) const;

private:
    std::filesystem::path path_;
    FileDescriptor lock_;
};

}  // namespace groma
