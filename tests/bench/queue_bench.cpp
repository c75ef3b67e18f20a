// The cost of moving a record from the packet path to the log: the ring between the two threads, by the record's size.
#include <benchmark/benchmark.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <thread>

#include "common/base/record_queue.hpp"

namespace {

using namespace groma;  // a program of one file

constexpr std::size_t kBatch = 256;

template <std::size_t Size>
struct Record {
    std::array<std::byte, Size> bytes{};
};

/// One thread alternately pushes and pops: the cost without another core's caches.
template <std::size_t Size>
void push_pop(benchmark::State& state) {
    RecordQueue<Record<Size>> queue(4096);
    std::array<Record<Size>, kBatch> out{};
    const Record<Size> record;
    for (auto _ : state) {
        for (std::size_t i = 0; i < kBatch; ++i) {
            benchmark::DoNotOptimize(queue.push(record));
        }
        benchmark::DoNotOptimize(queue.pop(out));
    }
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatch));
}
BENCHMARK(push_pop<16>);
BENCHMARK(push_pop<32>);
BENCHMARK(push_pop<48>);
BENCHMARK(push_pop<64>);

/// Pushes while another thread pops; what does not fit is tried again.
void push_beside_a_reader(benchmark::State& state) {
    RecordQueue<Record<48>> queue(1U << 20U);
    std::atomic<bool> over = false;
    std::thread reader([&] {
        std::array<Record<48>, kBatch> out{};
        while (not over.load(std::memory_order_relaxed)) {
            benchmark::DoNotOptimize(queue.pop(out));
        }
    });
    const Record<48> record;
    for (auto _ : state) {
        while (not queue.push(record)) {
            std::this_thread::yield();
        }
    }
    over = true;
    reader.join();
}
BENCHMARK(push_beside_a_reader)->UseRealTime();

}  // namespace
