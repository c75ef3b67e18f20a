// For headers that declare descriptions of structures: see json_record.hpp.
#pragma once

#include <type_traits>

namespace groma {

/// The record type of a description: constant when writing.
template <typename Fields, typename Record>
using As = std::conditional_t<Fields::kReads, Record, const Record>;

}  // namespace groma
