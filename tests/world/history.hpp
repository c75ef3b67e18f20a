// One history: a sender, a receiver and a log server work in a world in which a seed causes troubles. Then the troubles
// end, and the invariants are checked.
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
    std::vector<std::size_t> without{};  ///< omitted troubles, by their numbers
    std::vector<Fault> faults{};         ///< instead of troubles
    bool tells = false;                  ///< prints the story on standard error as it happens
};

struct HistoryResult {
    std::vector<std::string> story;              ///< a line for each thing that happened
    std::vector<std::string> broken;             ///< violated invariants, a sentence each
    std::map<std::string, std::uint64_t> marks;  ///< see Faults::met()
    std::size_t troubles = 0;                    ///< that the seed chose
    std::vector<std::uint32_t> calls;            ///< for each of the faults, the calls that it could have met
    double virtual_seconds = 0;
};

/// Makes files below `folder`, which is empty. A process can run one history and must end by _exit(), because threads
/// may be in the middle of a call.
[[nodiscard]] HistoryResult run_history(const HistoryOptions& options, const std::filesystem::path& folder);

}  // namespace groma::world
