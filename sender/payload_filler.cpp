#include "sender/payload_filler.hpp"

#include <cstdint>

namespace groma {

std::vector<std::byte> make_payload_filler(std::size_t size) {
    std::vector<std::byte> filler(size);
    std::uint64_t state = 0x67726f6d61;
    for (std::byte& byte : filler) {
        // Knuth's MMIX generator: its high bits are noise enough for a compressor.
        state = state * 6364136223846793005U + 1442695040888963407U;
        byte = static_cast<std::byte>(state >> 56U);
    }
    return filler;
}

}  // namespace groma
