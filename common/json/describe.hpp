// For headers that declare the description of a structure: see json_record.hpp.
#pragma once

#include <type_traits>

namespace groma {

/// The record of a description: constant when it is written.
template <typename Fields, typename Record>
using As = std::conditional_t<Fields::kReads, Record, const Record>;

}  // namespace groma
