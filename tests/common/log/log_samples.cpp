#include "tests/common/log/log_samples.hpp"

#include "common/wire/log_block.hpp"

namespace groma {

namespace {

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

/// A little noise that no library's idea of a distribution can change.
std::int64_t noise(std::size_t i) {
    return static_cast<std::int64_t>((i * 2654435761U) % 977);
}

}  // namespace

std::size_t KeptLog::records() const {
    std::size_t count = 0;
    for (const auto& [flow, records] : sent) {
        count += records.size();
    }
    for (const auto& [flow, records] : received) {
        count += records.size();
    }
    return count;
}

KeptLog read_all(std::span<const std::byte> log) {
    KeptLog kept;
    read_log(log, "sample.glog", kept);
    return kept;
}

RunMetadata sample_metadata(LogRole role) {
    return {.run_id = "0123456789abcdef0123456789abcdef",
            .experiment = "sample",
            .role = role,
            .host = "alpha",
            .boot_id = "5f0f2b64-2f9c-4c58-8f43-000000000001",
            .program = "groma-send 0.1.0",
            .timestamps = "kernel software",
            .started_at = wall_time_from_ns(kStart),
            .seed = 18'446'744'073'709'551'615U,
            .flows = {}};
}

ClockProbe sample_probe() {
    return {.sent = wall_time_from_ns(kStart - 500),
            .received = wall_time_from_ns(kStart + 7'000'000),
            .answered = wall_time_from_ns(kStart + 7'001'000),
            .returned = wall_time_from_ns(kStart + 300),
            .peer_host = "beta",
            .peer_boot_id = "5f0f2b64-2f9c-4c58-8f43-000000000002"};
}

LogEvent sample_event() {
    return {.at = wall_time_from_ns(kStart + 1),
            .flow = FlowId{2},
            .kind = "records-lost",
            .text = "3 records of flow 2 did not fit the queue"};
}

LogTotals sample_totals() {
    FlowTotals first{.flow = FlowId{1},
                     .packets = 300,
                     .bytes = 153'600,
                     .records = 300,
                     .records_lost = 0,
                     .counters = {{"send_errors", 2}, {"gaps_raised", 0}}};
    FlowTotals second{.flow = FlowId{2}, .packets = 13, .bytes = 130, .records = 10, .records_lost = 3, .counters = {}};
    return {.ended_at = wall_time_from_ns(kStart + 1'000'000'000), .end = "complete", .flows = {first, second}};
}

std::vector<SentRecord> sample_sent(std::size_t count, std::uint64_t first_seq) {
    std::vector<SentRecord> records;
    for (std::size_t i = 0; i < count; ++i) {
        const Nanos lateness{noise(i) - 100};
        const auto due = wall_time_from_ns(kStart + static_cast<std::int64_t>(i) * 1'000'000);
        const auto size = static_cast<std::uint32_t>(i % 5 == 4 ? 40 : 512);
        records.push_back({first_seq + i, due + lateness, lateness, size, i % 7 == 0 ? 2U : 1U});
    }
    return records;
}

/// Some are lost, some come late, and every eighth was too small to carry a time.
std::vector<ReceivedRecord> sample_received(std::size_t count) {
    std::vector<ReceivedRecord> records;
    for (const SentRecord& sent : sample_sent(count, 0xfffffff0)) {
        if (sent.seq % 10 == 3) {
            continue;
        }
        const Nanos delay{50'000 + noise(sent.seq)};
        const bool small = sent.seq % 8 == 0;
        records.push_back({sent.seq, small ? ReceivedRecord::kNoTime : sent.sent_at, sent.sent_at + delay, sent.size});
    }
    records.push_back({ReceivedRecord::kNoSeq, ReceivedRecord::kNoTime, wall_time_from_ns(kStart), 1});
    return records;
}

LogText sample_log(LogRole role) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(role));
    if (role == LogRole::sender) {
        writer.add(FlowId{1}, sample_sent(300));
        writer.add(FlowId{2}, sample_sent(10, 1'000'000'000'000));
    } else {
        writer.add(FlowId{1}, sample_received(300));
        writer.add(FlowId{2}, sample_received(10));
    }
    writer.add(sample_probe());
    writer.flush();
    writer.add(sample_event());
    writer.close(sample_totals());
    return sink.log;
}

std::vector<std::size_t> block_starts(const LogText& log) {
    std::vector<std::size_t> starts{kLogHeaderSize};
    while (starts.back() < log.size()) {
        const auto header = parse_block_header(std::span(log).subspan(starts.back()));
        starts.push_back(starts.back() + kBlockHeaderSize + header.value().stored_length);
    }
    return starts;
}

LogText flipped(LogText log, std::size_t byte, unsigned bit) {
    log[byte] ^= std::byte{1} << bit;
    return log;
}

}  // namespace groma
