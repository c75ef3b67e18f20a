// What this process asks of the kernel for itself: names for its threads, room for its sockets.
#pragma once

#include <cstdint>
#include <string>

namespace groma {

/// Names the calling thread for top, ps and debuggers; the kernel keeps the first 15 bytes.
void set_thread_name(const std::string& name) noexcept;

/// Raises the number of files and sockets that this process may open to the most that it may ask for (RLIMIT_NOFILE):
/// its hard limit, or with CAP_SYS_RESOURCE a million. Returns: how many it may open now.
std::uint64_t raise_fd_limit() noexcept;

/// How many descriptors this process may still open beyond `newest`, which it has opened last. (The kernel gives the
/// lowest number that is free.)
[[nodiscard]] std::uint64_t fds_beyond(int newest) noexcept;

/// How many it may still open.
[[nodiscard]] std::uint64_t fds_left() noexcept;

/// Gives back to the kernel what was freed, between what is still in use as well: behind a set-up that took much memory
/// for a short time. Takes milliseconds for each 100 MB.
void give_back_memory() noexcept;

}  // namespace groma
