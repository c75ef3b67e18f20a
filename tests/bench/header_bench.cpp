// The cost of a packet's header on either side.
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <span>

#include "common/wire/packet_header.hpp"

namespace {

using namespace groma;  // a program of one file

constexpr PacketHeader kFirst{.seq = 0, .sent_at = wall_time_from_ns(1'700'000'000'000'000'000), .flow = FlowId{1}};

/// Only the first bytes of it: packets too small for all carry a prefix.
void header_serialize(benchmark::State& state) {
    const auto size = static_cast<std::size_t>(state.range(0));
    std::array<std::byte, kPacketHeaderSize> bytes{};
    PacketHeader header = kFirst;
    for (auto _ : state) {
        ++header.seq;
        serialize(header, bytes, size);
        benchmark::DoNotOptimize(bytes);
    }
}
BENCHMARK(header_serialize)->Arg(4)->Arg(12)->Arg(kPacketHeaderSize);

void header_parse(benchmark::State& state) {
    const auto size = static_cast<std::size_t>(state.range(0));
    std::array<std::byte, kPacketHeaderSize> bytes{};
    serialize(kFirst, bytes, size);
    for (auto _ : state) {
        benchmark::DoNotOptimize(bytes);
        benchmark::DoNotOptimize(parse_packet(std::span(bytes).first(size), HeaderLevel::full));
    }
}
BENCHMARK(header_parse)->Arg(4)->Arg(12)->Arg(kPacketHeaderSize);

void sequence_unwrap(benchmark::State& state) {
    SequenceUnwrapper unwrapper;
    std::uint32_t seq = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(unwrapper.unwrap(seq++));
    }
}
BENCHMARK(sequence_unwrap);

}  // namespace
