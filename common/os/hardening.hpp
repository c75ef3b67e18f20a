// What a daemon gives up before it hears anybody.
#pragma once

#include <filesystem>
#include <vector>

namespace groma {

/// As many descriptors as the kernel gives (raise_fd_limit()), files that others cannot read
/// (keep_files_from_others()), and no capabilities (capabilities(7)), for itself and for what it starts, but those of
/// `kept` (CAP_NET_RAW, ...) that it has. Where one of `files`, or a folder above it, is another user's, the right to
/// other users' files stays as well; empty names do not count. Call it before there are threads. Throws: SystemError.
void harden_daemon(const std::vector<unsigned>& kept, const std::vector<std::filesystem::path>& files);

}  // namespace groma
