// Where and with what priority the kernel runs a thread: its cores, real time, locked memory. A refusal is not an error
// here: the functions return a sentence with the reason, and what to do.
#pragma once

#include <span>
#include <string>
#include <vector>

namespace groma {

/// Whether threads run in real time. `automatic`: where this process may, and without a word where it may not.
enum class Realtime { off, automatic, on };

/// The cores that the calling thread may run on, ascending (sched_getaffinity(2)); core 0 if unknown.
[[nodiscard]] std::vector<unsigned> usable_cores();

/// Makes the calling thread, and every thread that it starts later, run on these cores only. Returns: why it failed;
/// empty: it worked. Requires: at least one core.
[[nodiscard]] std::string run_on_cores(std::span<const unsigned> cores);

/// The calling thread runs before every thread that is not real time (SCHED_FIFO). Threads that it starts do not.
/// Returns: why it failed; empty: it worked.
[[nodiscard]] std::string become_realtime();

/// Returns to the kernel's default policy.
void leave_realtime() noexcept;

/// The calling ordinary thread asks for a short time slice, so that the kernel lets it run sooner when it wakes among
/// others (sched_setattr(2), `sched_runtime`; kernels from 6.12 on). Needs no rights; older kernels ignore or refuse
/// it.
void ask_for_short_slice() noexcept;

/// The calling thread is not urgent: the kernel prefers other threads (SCHED_BATCH).
void yield_to_others() noexcept;

/// Keeps all current memory of this process in RAM (mlockall(2)). Returns: why it failed; empty: it worked.
[[nodiscard]] std::string lock_memory();

}  // namespace groma
