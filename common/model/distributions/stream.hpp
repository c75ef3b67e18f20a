// Random numbers of one process of one flow, independent of every other process and flow: a flow sends the same
// whatever else runs.
#pragma once

#include <array>
#include <cstdint>

#include "common/base/ids.hpp"
#include "common/model/families/drawer.hpp"

namespace groma {

/// The processes of a flow that draw. These numbers are part of the meaning of a seed: do not renumber.
enum class Process : std::uint64_t {
    gap = 1,
    size = 2,
    on = 3,
    off = 4,
    response = 5,
    think = 6,
    start = 7,
    volume = 8,
    connection = 9
};

/// One step of SplitMix64 (Steele, Lea, Flood 2014): a bijection that changes half the bits of `state` on average.
[[nodiscard]] constexpr std::uint64_t mix(std::uint64_t state) noexcept {
    state += 0x9e3779b97f4a7c15ULL;
    state = (state ^ (state >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    state = (state ^ (state >> 27U)) * 0x94d049bb133111ebULL;
    return state ^ (state >> 31U);
}

/// mix(mix(mix(run seed) ^ flow) ^ process)
[[nodiscard]] constexpr std::uint64_t stream_seed(std::uint64_t run_seed, FlowId flow, Process process) noexcept {
    return mix(mix(mix(run_seed) ^ flow.value) ^ static_cast<std::uint64_t>(process));
}

/// The engine whose three words are the first outputs of SplitMix64 from `seed`, upper halves.
[[nodiscard]] inline Engine make_engine(std::uint64_t seed, Generator generator = Generator::unit_53) {
    std::array<std::uint32_t, 3> words{};
    for (std::uint32_t& word : words) {
        word = static_cast<std::uint32_t>(mix(seed) >> 32U);
        seed += 0x9e3779b97f4a7c15ULL;
    }
    auto first = words.begin();
    return {first, words.end(), generator};
}

}  // namespace groma
