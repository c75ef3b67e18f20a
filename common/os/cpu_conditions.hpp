// What kept this process from its cores although it wanted to run, and how fast they were, as the kernel tells it: a
// control group's quota, a hypervisor, the clock of the cores.
#pragma once

#include <cstdint>
#include <filesystem>

#include "common/time/instant.hpp"

namespace groma {

struct CpuConditions {
    std::uint64_t throttled_times = 0;  ///< periods in which the quota of a control group was used up
    Nanos throttled{0};                 ///< for how long its threads were stopped then, all together
    Nanos stolen{0};                    ///< what a hypervisor took from all cores of the machine
    /// Of the fastest core at the times at which somebody looked; 0: the kernel does not tell.
    std::uint64_t lowest_khz = 0;
    std::uint64_t highest_khz = 0;
    bool operator==(const CpuConditions&) const = default;
};

/// Counts since the host (the group) began, and the frequency of now. `root` is where /proc and /sys are. Of a kernel
/// that does not tell there are zeros.
[[nodiscard]] CpuConditions cpu_conditions(const std::filesystem::path& root = "/");

/// Follows the conditions from its making on. Thread: one at a time; looks into files, so not a sending one.
class ConditionsWatch {
public:
    explicit ConditionsWatch(std::filesystem::path root = "/");

    /// Returns: what has happened since the beginning.
    CpuConditions poll();

private:
    std::filesystem::path root_;
    CpuConditions first_;
    std::uint64_t lowest_khz_;
    std::uint64_t highest_khz_;
};

}  // namespace groma
