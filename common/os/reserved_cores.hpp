// Keeps everything but the threads that are pinned to them off some cores.
#pragma once

#include <vector>

namespace groma {

/// While it lives, the calling thread and those that it starts run on the other cores, if there are any.
/// Thread: made and destroyed by one.
class ReservedCores {
public:
    /// `cores` may be empty: nothing is reserved.
    explicit ReservedCores(const std::vector<unsigned>& cores);
    ReservedCores(const ReservedCores&) = delete;
    ReservedCores& operator=(const ReservedCores&) = delete;
    ~ReservedCores();

private:
    std::vector<unsigned> before_;  ///< where the thread ran; empty: where it runs
};

}  // namespace groma
