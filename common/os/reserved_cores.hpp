// Reserves cores for the threads that are pinned to them.
#pragma once

#include <vector>

namespace groma {

/// While it lives, the calling thread and the threads that it starts run on the other cores, if there are any. Thread:
/// constructed and destroyed by the same one.
class ReservedCores {
public:
    /// `cores` may be empty: reserves none.
    explicit ReservedCores(const std::vector<unsigned>& cores);
    ReservedCores(const ReservedCores&) = delete;
    ReservedCores& operator=(const ReservedCores&) = delete;
    ~ReservedCores();

private:
    std::vector<unsigned> before_;  ///< where the thread ran; empty: unchanged
};

}  // namespace groma
