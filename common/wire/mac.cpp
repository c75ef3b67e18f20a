#include "common/wire/mac.hpp"

#include <bit>

#include "common/wire/byte_reader.hpp"

namespace groma {

namespace {

// Names and constants as in the paper.
struct SipState {
    std::uint64_t v0;
    std::uint64_t v1;
    std::uint64_t v2;
    std::uint64_t v3;

    void round() noexcept {
        v0 += v1;
        v1 = std::rotl(v1, 13) ^ v0;
        v0 = std::rotl(v0, 32);
        v2 += v3;
        v3 = std::rotl(v3, 16) ^ v2;
        v0 += v3;
        v3 = std::rotl(v3, 21) ^ v0;
        v2 += v1;
        v1 = std::rotl(v1, 17) ^ v2;
        v2 = std::rotl(v2, 32);
    }
    void compress(std::uint64_t word) noexcept {
        v3 ^= word;
        round();
        round();
        v0 ^= word;
    }
};

std::uint64_t last_word(std::span<const std::byte> tail, std::size_t size) noexcept {
    std::uint64_t word = static_cast<std::uint64_t>(size) << 56U;
    for (std::size_t i = 0; i < tail.size(); ++i) {
        word |= std::to_integer<std::uint64_t>(tail[i]) << (8 * i);
    }
    return word;
}

}  // namespace

MacKey mac_key(const Token& bytes) noexcept {
    return {.low = load_u64(bytes.data()), .high = load_u64(bytes.data() + 8)};
}

std::uint64_t mac_of(const MacKey& key, std::span<const std::byte> bytes) noexcept {
    SipState state{.v0 = key.low ^ 0x736f6d6570736575U,
                   .v1 = key.high ^ 0x646f72616e646f6dU,
                   .v2 = key.low ^ 0x6c7967656e657261U,
                   .v3 = key.high ^ 0x7465646279746573U};
    const std::size_t whole = bytes.size() / 8 * 8;
    for (std::size_t at = 0; at < whole; at += 8) {
        state.compress(load_u64(bytes.data() + at));
    }
    state.compress(last_word(bytes.subspan(whole), bytes.size()));
    state.v2 ^= 0xff;
    for (int i = 0; i < 4; ++i) {
        state.round();
    }
    return state.v0 ^ state.v1 ^ state.v2 ^ state.v3;
}

}  // namespace groma
