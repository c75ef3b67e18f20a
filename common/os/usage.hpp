// Costs of a program or a thread by the kernel's account (getrusage(2)).
#pragma once

#include <cstdint>

#include "common/time/instant.hpp"

namespace groma {

struct CpuUsage {
    Nanos user{0};
    Nanos system{0};
    std::uint64_t voluntary_switches = 0;    ///< the program waited for something
    std::uint64_t involuntary_switches = 0;  ///< the core went to another program
    bool operator==(const CpuUsage&) const = default;
};

/// The calling process so far.
[[nodiscard]] CpuUsage process_usage() noexcept;
/// The calling thread so far.
[[nodiscard]] CpuUsage thread_usage() noexcept;

[[nodiscard]] CpuUsage operator-(const CpuUsage& after, const CpuUsage& before) noexcept;
[[nodiscard]] CpuUsage operator+(const CpuUsage& one, const CpuUsage& other) noexcept;

}  // namespace groma
