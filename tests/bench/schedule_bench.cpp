// The cost of drawing the next departure: gap, size, ON and OFF time, stop rule. Gaps are drawn in nanoseconds.
#include <benchmark/benchmark.h>

#include <utility>

#include "common/model/flow/schedule.hpp"

namespace {

using namespace groma;  // a program of one file

FlowSpec endless(Distribution idt, Distribution size = Constant{512}) {
    FlowSpec spec;
    spec.id = FlowId{1};
    spec.idt = std::move(idt);
    spec.size = std::move(size);
    spec.stop.packets = std::uint64_t{1} << 62U;
    return spec;
}

void draw(benchmark::State& state, const FlowSpec& spec) {
    Schedule schedule(spec);
    for (auto _ : state) {
        benchmark::DoNotOptimize(schedule.next());
    }
}

void gaps(benchmark::State& state, const Distribution& idt) {
    draw(state, endless(idt));
}
BENCHMARK_CAPTURE(gaps, constant, Constant{1e6});
BENCHMARK_CAPTURE(gaps, exponential, Exponential{1e6});
BENCHMARK_CAPTURE(gaps, uniform, Uniform{5e5, 1.5e6});
BENCHMARK_CAPTURE(gaps, normal, Normal{1e6, 1e5});
BENCHMARK_CAPTURE(gaps, poisson, Poisson{10, 1e5});
BENCHMARK_CAPTURE(gaps, pareto, Pareto{1.5, 1e5});
BENCHMARK_CAPTURE(gaps, cauchy, Cauchy{1e6, 1e5});
BENCHMARK_CAPTURE(gaps, gamma, Gamma{2, 5e5});
BENCHMARK_CAPTURE(gaps, weibull, Weibull{1.5, 1e6});
BENCHMARK_CAPTURE(gaps, log_normal, LogNormal{1e6, 0.5});
BENCHMARK_CAPTURE(gaps, student_t, StudentT{3, 1e6, 1e5});
BENCHMARK_CAPTURE(gaps, discrete, Discrete{{1e5, 1e6, 1e7}, {7, 4, 1}});

void gaps_and_sizes(benchmark::State& state) {
    draw(state, endless(Exponential{1e6}, Uniform{64, 1472}));
}
BENCHMARK(gaps_and_sizes);

void on_and_off(benchmark::State& state) {
    FlowSpec spec = endless(Constant{1e6});
    spec.on_off = OnOff{Exponential{1e9}, Exponential{2e9}};
    draw(state, spec);
}
BENCHMARK(on_and_off);

}  // namespace
