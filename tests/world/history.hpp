// One history: a sender, a receiver and a log server do their job in a world in which a seed lets things go wrong; then
// nothing goes wrong any more, and what must hold is checked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "tests/world/faults.hpp"

namespace groma::world {

struct HistoryOptions {
    std::uint64_t seed = 0;
    std::vector<std::size_t> without{};  ///< troubles that are left out, by their numbers
    std::vector<Fault> faults{};         ///< instead of troubles
    bool tells = false;                  ///< the story, as it goes, on standard error
};

struct HistoryResult {
    std::vector<std::string> story;              ///< a line for each thing that happened
    std::vector<std::string> broken;             ///< what did not hold, a sentence each
    std::map<std::string, std::uint64_t> marks;  ///< see Faults::met()
    std::size_t troubles = 0;                    ///< that the seed chose
    std::vector<std::uint32_t> calls;            ///< so many that each of the faults could have met
    double virtual_seconds = 0;
};

/// Makes files below `folder`, which is empty. There can be one in the life of a process, which is to end by _exit():
/// threads may stand in the middle of something.
[[nodiscard]] HistoryResult run_history(const HistoryOptions& options, const std::filesystem::path& folder);

}  // namespace groma::world
