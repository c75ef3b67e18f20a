// Reads a log with several threads: the blocks of different flows are independent.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "common/log/log_reader.hpp"

namespace groma {

/// As read_log(), but the visitor is told of records (on_sent() to on_connection()) by `threads` threads: of each flow
/// in the order of the log and by one thread at a time, of different flows at the same time. Everything else, in the
/// order of the log, by the caller's thread, which may be before or after records that stand beside it; what could not
/// be understood within records comes when they have been read. Memory: some 16 MiB of blocks. Throws: as
/// read_log(), and what the visitor throws.
void read_log_in_parallel(const std::filesystem::path& file, LogVisitor& visitor, unsigned threads);
void read_log_in_parallel(std::span<const std::byte> bytes, const std::string& name, LogVisitor& visitor,
                          unsigned threads);

}  // namespace groma
