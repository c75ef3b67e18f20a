// What kept this process from its cores, and their speed, as the kernel reports it: a control group's quota, a
// hypervisor, the cores' clock.
#pragma once

#include <cstdint>
#include <filesystem>

#include "common/time/instant.hpp"

namespace groma {

struct CpuConditions {
    std::uint64_t throttled_times = 0;  ///< periods that used up the quota of a control group
    Nanos throttled{0};                 ///< how long the quota stopped its threads, summed
    Nanos stolen{0};                    ///< time that a hypervisor took from all cores of the machine
    /// Frequency of the fastest core at each look; 0: not reported.
    std::uint64_t lowest_khz = 0;
    std::uint64_t highest_khz = 0;
    bool operator==(const CpuConditions&) const = default;
};

/// Counts since the host (or the group) started, and the current frequency. `root` is the folder of /proc and /sys.
/// Zeros if the kernel does not report them.
[[nodiscard]] CpuConditions cpu_conditions(const std::filesystem::path& root = "/");

/// Changes of the conditions since construction. Thread: one at a time; reads files, so not a sending thread.
class ConditionsWatch {
public:
    explicit ConditionsWatch(std::filesystem::path root = "/");

    /// Returns: the changes since construction.
    CpuConditions poll();

private:
    std::filesystem::path root_;
    CpuConditions first_;
    std::uint64_t lowest_khz_;
    std::uint64_t highest_khz_;
};

}  // namespace groma
