// The beginning of a log, for whoever reads one.
#pragma once

#include <string>

#include "common/log/block_stream.hpp"
#include "common/log/log_bytes.hpp"

namespace groma {

/// Goes past the file header; damage to it opens a gap. Throws: ParseError when this is no log that this program can
/// read.
void pass_log_header(LogBytes& bytes, const std::string& name, BlockStream& blocks);

}  // namespace groma
