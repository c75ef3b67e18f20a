// Histories, each in a process of its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "common/os/temporary_folder.hpp"
#include "tests/world/history.hpp"

namespace groma::world {

/// The command line of this program for one history: "groma-world --seed 5 --without 1".
[[nodiscard]] std::vector<std::string> arguments_of(const HistoryOptions& options);

/// In the history's own process: runs it and writes the outcome to the pipe.
[[noreturn]] void answer(const HistoryOptions& options, const std::filesystem::path& folder, int pipe);

struct Outcome {
    HistoryResult result;
    std::string end;  ///< how its process died: "SIGABRT ended it"; empty: it ran to its end

    [[nodiscard]] bool failed() const { return not end.empty() or not result.broken.empty(); }
    /// The reason of a failure: the violated invariants, or how it ended.
    [[nodiscard]] std::string why() const;
};

/// A running history.
class HistoryProcess {
public:
    /// Throws: std::system_error.
    explicit HistoryProcess(const HistoryOptions& options);
    /// Waits for its end. Call once.
    [[nodiscard]] Outcome result();

private:
    TemporaryFolder folder_{"groma-world"};
    int child_ = -1;
    int pipe_ = -1;
};

/// Throws: std::system_error.
[[nodiscard]] Outcome run_apart(const HistoryOptions& options);

/// Omits, one after the other, the troubles that the failure does not need. Returns: those.
[[nodiscard]] std::vector<std::size_t> shrink(HistoryOptions options, std::size_t troubles);

}  // namespace groma::world
