// Rounds of sweeps. A sweep takes a limited number of logs, so that none waits long for it. A round consists of the
// logs that needed a sweep when it began, in as many sweeps as that takes. Logs that end do not wait for their round.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "logserver/store/stored_log.hpp"
#include "logserver/store/sync_sweep.hpp"

namespace groma {

class SweepRounds {
public:
    static constexpr std::size_t kMostInSweep = 128;

    /// `logs`: all that need a sweep. Takes kMostInSweep of them at most; hosts take turns, and of a host's logs those
    /// that were swept least recently come first. `sync_all`: with their bytes; otherwise only of those that end.
    [[nodiscard]] Sweep begin(const std::vector<StoredLog*>& logs, bool sync_all, WallTime now);

    /// Logs that the last sweep had no room for: another one is due.
    [[nodiscard]] bool has_left_over() const { return left_over_ > 0; }

private:
    std::uint64_t round_ = 0;
    std::size_t left_over_ = 0;
};

}  // namespace groma
