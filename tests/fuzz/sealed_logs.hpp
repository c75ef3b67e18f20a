// Two logs from any bytes, whose blocks all have right checksums: a fuzzer's damage would hardly ever produce them, and
// the code after the check would stay untested. The input is a list of blocks, cut short where it ends (little-endian):
//
//   0       1       2                                10      12      14
//   +-------+-------+---------------------------------+-------+-------+
//   | kind  | flow  |         first sequence          | count | size  | payload, `size` bytes ...
//   +-------+-------+---------------------------------+-------+-------+
//
// `kind`: bits 0 to 4 are the block's type, bit 5 says version 2, bit 6 that its number jumps, bit 7 that it is of the
// second log.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

namespace groma {

using SealedLog = std::vector<std::byte>;

[[nodiscard]] std::array<SealedLog, 2> sealed_logs(std::span<const std::byte> input);

}  // namespace groma
