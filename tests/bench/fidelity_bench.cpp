// The cost of metering a packet's fidelity, which the log thread does beside the sending one, and of making a model of
// gaps.
#include <benchmark/benchmark.h>
#include <malloc.h>

#include <cmath>
#include <vector>

#include "common/model/distributions/sampler.hpp"
#include "common/stats/fidelity/fidelity.hpp"

namespace groma {
namespace {

constexpr std::size_t kRecords = 1U << 16U;
constexpr std::size_t kPiece = 4096;

/// Gaps as drawn, packets up to some microseconds late, a few far more.
std::vector<SentRecord> sent(const Distribution& idt) {
    Sampler gaps(idt, 1);
    Sampler late(LogNormal{300, 1.5}, 2);
    std::vector<SentRecord> records;
    double time = 1.7e18;
    for (std::uint64_t seq = 0; seq < kRecords; ++seq) {
        const Nanos lateness{std::llround(late.draw())};
        records.push_back({.seq = seq,
                           .sent_at = wall_time_from_ns(std::llround(time)) + lateness,
                           .lateness = lateness,
                           .size = 64,
                           .batch = 1});
        time += gaps.draw();
    }
    return records;
}

void meter(benchmark::State& state, const Distribution& idt) {
    const std::vector<SentRecord> records = sent(idt);
    FlowSpec spec;
    spec.idt = idt;
    FidelityMeter meter(GapModels().of(spec));
    std::size_t place = 0;
    for (auto _ : state) {
        meter.add(std::span(records).subspan(place, kPiece));
        place = (place + kPiece) % kRecords;
    }
    benchmark::DoNotOptimize(meter.result().packets);
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kPiece));
    state.counters["ns_per_packet"] = benchmark::Counter(static_cast<double>(state.iterations()) * kPiece * 1e-9,
                                                         benchmark::Counter::kIsRate | benchmark::Counter::kInvert);
}
BENCHMARK_CAPTURE(meter, constant, Distribution(Constant{10'000}));
BENCHMARK_CAPTURE(meter, exponential, Distribution(Exponential{10'000}));
BENCHMARK_CAPTURE(meter, narrow_normal, Distribution(Normal{1e6, 1000}));

void make_model(benchmark::State& state, const Distribution& idt) {
    for (auto _ : state) {
        benchmark::DoNotOptimize(GapModel(idt).cell(1000));
    }
}
BENCHMARK_CAPTURE(make_model, exponential, Distribution(Exponential{1e6}))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(make_model, gamma, Distribution(Gamma{0.5, 1e6}))->Unit(benchmark::kMicrosecond);
BENCHMARK_CAPTURE(make_model, student, Distribution(StudentT{4, 1e7, 1e5}))->Unit(benchmark::kMicrosecond);

/// Memory of a flow of few packets: on the heap, and in total.
void memory_of_a_slow_flow(benchmark::State& state) {
    const auto packets = static_cast<std::size_t>(state.range(0));
    const std::vector<SentRecord> records = sent(Exponential{1e8});
    FlowSpec spec;
    spec.idt = Exponential{1e8};
    const auto model = GapModels().of(spec).model;
    constexpr std::size_t kFlows = 1000;
    double bytes = 0;
    for (auto _ : state) {
        std::vector<FidelityMeter> meters;
        meters.reserve(kFlows);
        const auto before = ::mallinfo2().uordblks;
        for (std::size_t flow = 0; flow < kFlows; ++flow) {
            meters.emplace_back(AskedGaps{model}).add(std::span(records).subspan(flow, packets));
        }
        bytes = static_cast<double>(::mallinfo2().uordblks - before) / kFlows + sizeof(FidelityMeter);
    }
    state.counters["bytes_per_flow"] = bytes;
}
BENCHMARK(memory_of_a_slow_flow)->Arg(10)->Arg(100)->Arg(1000)->Iterations(1);

}  // namespace
}  // namespace groma
