// Reads a log with several threads: the blocks of different flows are independent.
#pragma once

#include <filesystem>
#include <span>
#include <string>

#include "common/log/log_reader.hpp"

namespace groma {

/// As read_log(), but `threads` threads call the visitor for records (on_sent() to on_connection()): for one flow in
/// the order of the log and one thread at a time, for different flows at the same time. The caller's thread reports
/// everything else in the order of the log, perhaps before or after neighbouring records; gaps within records come
/// after the records have been read. Memory: some 16 MiB of blocks. Throws: as read_log(), and what the visitor throws.
void read_log_in_parallel(const std::filesystem::path& file, LogVisitor& visitor, unsigned threads);
void read_log_in_parallel(std::span<const std::byte> bytes, const std::string& name, LogVisitor& visitor,
                          unsigned threads);

}  // namespace groma
