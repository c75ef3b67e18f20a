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

/// What this program is called with for one history: "groma-world --seed 5 --without 1".
[[nodiscard]] std::vector<std::string> arguments_of(const HistoryOptions& options);

/// In the process of its own: what the history came to goes into the pipe.
[[noreturn]] void answer(const HistoryOptions& options, const std::filesystem::path& folder, int pipe);

struct Outcome {
    HistoryResult result;
    std::string end;  ///< "SIGABRT ended it": of what its process died; empty: it came to its end

    [[nodiscard]] bool failed() const { return not end.empty() or not result.broken.empty(); }
    /// Of a failure: the sentences that did not hold, or how it ended.
    [[nodiscard]] std::string why() const;
};

/// One that runs.
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

/// Leaves out, one after the other, the troubles without which the history fails as well. Returns: those.
[[nodiscard]] std::vector<std::size_t> shrink(HistoryOptions options, std::size_t troubles);

}  // namespace groma::world
