// The bytes behind the packet headers: the same for every packet of every flow, made once before the run.
#pragma once

#include <cstddef>
#include <vector>

namespace groma {

/// Noise that links and file systems cannot compress; the same bytes on every machine.
[[nodiscard]] std::vector<std::byte> make_payload_filler(std::size_t size);

}  // namespace groma
