// The cost of writing a record to a log and of reading it, for a flow of constant rate and a bursty one.
#include <benchmark/benchmark.h>

#include <cstdint>
#include <random>
#include <vector>

#include "common/log/log_reader.hpp"
#include "common/log/log_writer.hpp"

namespace {

using namespace groma;  // a program of one file

constexpr std::size_t kRecords = 1'000'000;

class KeepingSink final : public LogSink {
public:
    void append(std::span<const std::byte> piece) override { log.insert(log.end(), piece.begin(), piece.end()); }
    void close() override {}
    [[nodiscard]] std::string describe() const override { return "memory"; }

    std::vector<std::byte> log;
};

struct CountingVisitor final : LogVisitor {
    void on_sent(FlowId /*flow*/, std::span<const SentRecord> records) override { count += records.size(); }
    void on_received(FlowId /*flow*/, std::span<const ReceivedRecord> records) override { count += records.size(); }

    std::uint64_t count = 0;
};

/// `spread_ns` is 0 for a constant rate.
std::vector<SentRecord> sent_records(std::int64_t spread_ns) {
    std::mt19937_64 random(1);
    std::vector<SentRecord> records(kRecords);
    std::int64_t due = 1'700'000'000'000'000'000;
    for (std::size_t i = 0; i < kRecords; ++i) {
        due +=
            10'000 + (spread_ns > 0 ? static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(spread_ns)) : 0);
        const auto lateness = static_cast<std::int64_t>(random() % 1000);
        records[i] = {i, wall_time_from_ns(due + lateness), Nanos{lateness}, 512, 1};
    }
    return records;
}

std::vector<ReceivedRecord> received_records(std::int64_t spread_ns) {
    std::mt19937_64 random(2);
    std::vector<ReceivedRecord> records;
    for (const SentRecord& sent : sent_records(spread_ns)) {
        const Nanos delay{50'000 + static_cast<std::int64_t>(random() % 2000)};
        records.push_back({sent.seq, sent.sent_at, sent.sent_at + delay, sent.size});
    }
    return records;
}

template <typename Record>
std::vector<std::byte> log_of(const std::vector<Record>& records) {
    KeepingSink sink;
    LogWriter writer(sink, RunMetadata{});
    writer.add(FlowId{1}, records);
    writer.close(LogTotals{});
    return std::move(sink.log);
}

template <typename Record>
void write_log(benchmark::State& state, const std::vector<Record>& records) {
    std::size_t bytes = 0;
    for (auto turn : state) {
        bytes = log_of(records).size();
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(kRecords) * state.iterations());
    state.counters["bytes_a_record"] = static_cast<double>(bytes) / static_cast<double>(kRecords);
}

template <typename Record>
void read_back(benchmark::State& state, const std::vector<Record>& records) {
    const auto log = log_of(records);
    CountingVisitor visitor;
    for (auto turn : state) {
        read_log(log, "bench", visitor);
    }
    state.SetItemsProcessed(static_cast<std::int64_t>(visitor.count));
}

void write_sent(benchmark::State& state) {
    write_log(state, sent_records(state.range(0)));
}
void write_received(benchmark::State& state) {
    write_log(state, received_records(state.range(0)));
}
void read_sent(benchmark::State& state) {
    read_back(state, sent_records(state.range(0)));
}
void read_received(benchmark::State& state) {
    read_back(state, received_records(state.range(0)));
}

BENCHMARK(write_sent)->Arg(0)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(write_received)->Arg(0)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(read_sent)->Arg(0)->Arg(1'000'000)->Unit(benchmark::kMillisecond);
BENCHMARK(read_received)->Arg(0)->Arg(1'000'000)->Unit(benchmark::kMillisecond);

}  // namespace
