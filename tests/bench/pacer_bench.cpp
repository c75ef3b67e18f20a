// The cost of the sender's packet path without the kernel: the decision when to send, and all work for a packet.
#include <benchmark/benchmark.h>

#include <array>

#include "common/os/system_clock.hpp"
#include "sender/engine/deadline_heap.hpp"
#include "sender/engine/pacer.hpp"
#include "sender/engine/send_worker.hpp"

namespace groma {
namespace {

/// Takes everything and does nothing.
class VoidChannel final : public Channel {
public:
    SendOutcome send(std::span<const Frame> frames) noexcept override {
        benchmark::DoNotOptimize(frames.data());
        return {.sent = frames.size()};
    }
    bool finish(Nanos /*limit*/) noexcept override { return true; }
    int fd() const noexcept override { return -1; }
    SocketAddress local_address() const override { return {}; }
    SocketAddress remote_address() const override { return {}; }
};

FlowSpec endless(Distribution idt) {
    FlowSpec spec;
    spec.id = FlowId{1};
    spec.idt = std::move(idt);
    spec.stop.packets = std::uint64_t{1} << 62U;
    return spec;
}

/// Decide, take the earliest of N flows, requeue it with its next deadline.
void pacing_decision(benchmark::State& state) {
    const auto flows = static_cast<std::uint32_t>(state.range(0));
    DeadlineHeap heap(flows);
    for (std::uint32_t flow = 0; flow < flows; ++flow) {
        heap.push({MonoTime{Nanos{flow * 7919 % 1'000'000}}, flow});
    }
    Pacer pacer;
    for (auto _ : state) {
        const DeadlineHeap::Entry top = heap.top();
        benchmark::DoNotOptimize(pacer.advise(top.at, top.at));
        pacer.woke(top.at, top.at + Nanos{top.flow});
        heap.move_top(top.at + Nanos{1'000'000});
    }
}
BENCHMARK(pacing_decision)->Arg(1)->Arg(30)->Arg(300)->Arg(3000);

void clock_reading(benchmark::State& state) {
    SystemClock clock;
    for (auto _ : state) {
        benchmark::DoNotOptimize(clock.now());
    }
}
BENCHMARK(clock_reading);

/// All of the worker's work for a packet except the system call: gaps of 0 make every step a full batch.
void worker_step_a_packet(benchmark::State& state) {
    const auto batch = static_cast<std::size_t>(state.range(0));
    SystemClock clock;
    PollWatch watch;
    const Payload payload("", 65536);
    FlowSender flow({endless(Constant{0}), std::make_unique<VoidChannel>(), &payload}, 0, batch);
    SendWorker worker({&flow}, {.queue_records = 4096, .largest_batch = batch}, clock, watch);
    worker.begin(clock.now());
    std::array<QueuedRecord, 256> out;
    for (auto _ : state) {
        worker.step();
        benchmark::DoNotOptimize(worker.queue().pop(out));
    }
    state.SetItemsProcessed(state.iterations() * state.range(0));
}
BENCHMARK(worker_step_a_packet)->Arg(1)->Arg(64);

}  // namespace
}  // namespace groma
