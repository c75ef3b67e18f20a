// Settings of this process in the kernel: names of threads, limits of descriptors, memory.
#pragma once

#include <cstdint>
#include <string>

namespace groma {

/// Names the calling thread for top, ps and debuggers; the kernel keeps the first 15 bytes.
void set_thread_name(const std::string& name) noexcept;

/// From now on files of this process are for its user and may be read by its group, whatever the mode that they are
/// made with (umask 027, or what was stricter). For daemons, whose files others asked for. Before there are threads.
void keep_files_from_others() noexcept;

/// Raises the number of files and sockets that this process may open (RLIMIT_NOFILE) to its hard limit, or with
/// CAP_SYS_RESOURCE to a million. Returns: the number now.
std::uint64_t raise_fd_limit() noexcept;

/// How many descriptors this process may still open, if `newest` is the one opened last. (The kernel assigns the lowest
/// free number.)
[[nodiscard]] std::uint64_t fds_beyond(int newest) noexcept;

/// How many descriptors this process may still open.
[[nodiscard]] std::uint64_t fds_left() noexcept;

/// Returns freed memory to the kernel, also from between blocks in use: for use after a set-up that needed much memory
/// for a short time. Takes milliseconds for each 100 MB.
void give_back_memory() noexcept;

}  // namespace groma
