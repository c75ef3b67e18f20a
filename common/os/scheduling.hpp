// Where and how urgently the kernel runs a thread: its cores, real time, memory that is not paged out. What cannot be
// had is no error here: the functions return a sentence that says why, and what to do.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace groma {

/// The cores that the calling thread may run on, rising (sched_getaffinity(2)); core 0 if the kernel does not say.
[[nodiscard]] std::vector<unsigned> usable_cores();

/// From now on the calling thread, and every thread that it starts, runs on these cores only.
/// Returns: why it does not; empty: it does. Requires: at least one core.
[[nodiscard]] std::string run_on_cores(std::span<const unsigned> cores);

/// The calling thread runs before every thread that is not real time (SCHED_FIFO). Threads that it starts do not.
/// Returns: why it could not be had; empty: it was.
[[nodiscard]] std::string become_realtime();

/// Back to the usual policy of the kernel.
void leave_realtime() noexcept;

/// The calling thread has time: threads of other programs and of this one that have none come first (SCHED_BATCH).
void yield_to_others() noexcept;

/// Keeps all memory that this process has now in RAM (mlockall(2)).
/// Returns: why it could not be had; empty: it was.
[[nodiscard]] std::string lock_memory();

}  // namespace groma
