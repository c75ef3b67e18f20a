// A rank other than 0: does what rank 0 says until it may leave, or until the job is told to end. Thread: one.
#pragma once

#include "common/os/signal_set.hpp"
#include "common/time/clock.hpp"
#include "mpi/roles/rank_worker.hpp"
#include "mpi/world/mpi_world.hpp"

namespace groma {

enum class Farewell { dismissed, interrupted };

/// Everything is handed in and outlives the call. Throws: RunError, ProtocolError.
[[nodiscard]] Farewell follow(MpiWorld& world, RankWorker& worker, SignalSet& signals, Clock& clock);

}  // namespace groma
