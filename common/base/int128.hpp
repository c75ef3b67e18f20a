// Whole numbers of 128 bits, for sums that must be exact.
#pragma once

namespace groma {

__extension__ using Int128 = __int128;            // NOLINT(modernize-use-using)
__extension__ using UInt128 = unsigned __int128;  // NOLINT(modernize-use-using)

}  // namespace groma
