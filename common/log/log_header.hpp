// Reads the beginning of a log.
#pragma once

#include <string>

#include "common/log/block_stream.hpp"
#include "common/log/log_bytes.hpp"

namespace groma {

/// Skips the file header; damage to it opens a gap. Throws: ParseError if this is not a log that this program can read.
void pass_log_header(LogBytes& bytes, const std::string& name, BlockStream& blocks);

}  // namespace groma
