#include "tests/common/log/log_samples.hpp"

#include "common/wire/log_block.hpp"

namespace groma {

namespace {

constexpr std::int64_t kStart = 1'700'000'000'000'000'000;

/// A little noise that does not depend on a library's distributions.
std::int64_t noise(std::size_t i) {
    return static_cast<std::int64_t>((i * 2654435761U) % 977);
}

}  // namespace

std::size_t WholeLog::records() const {
    std::size_t count = 0;
    const auto add = [&count](const auto& flows) {
        for (const auto& [flow, records] : flows) {
            count += records.size();
        }
    };
    add(sent);
    add(received);
    add(returned);
    add(transmitted);
    add(connection);
    return count;
}

WholeLog read_all(std::span<const std::byte> log) {
    WholeLog kept;
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

std::vector<ReceivedRecord> sample_received_headers(std::size_t count) {
    std::vector<ReceivedRecord> records = sample_received(count);
    for (std::size_t i = 0; i < records.size(); ++i) {
        records[i].ttl = i % 50 == 7 ? 61 : 62;
        records[i].ds_byte = i % 9 == 1 ? 0 : 0xb8;
    }
    return records;
}

std::vector<RoundTripRecord> sample_returned(std::size_t count) {
    std::vector<RoundTripRecord> records;
    for (const SentRecord& sent : sample_sent(count)) {
        RoundTripRecord record{.seq = sent.seq,
                               .sent_at = sent.sent_at,
                               .returned_at = sent.sent_at + Nanos{120'000 + noise(sent.seq * 3)},
                               .size = sent.size};
        if (sent.size >= 36) {
            record.reflected_at = sent.sent_at + Nanos{7'000'050'000 + noise(sent.seq * 5)};
            record.replied_at = record.reflected_at + Nanos{9'000 + noise(sent.seq * 7)};
        }
        if (sent.seq % 11 == 5) {
            record.sent_at = ReceivedRecord::kNoTime;
        }
        if (sent.seq % 23 == 5) {
            record = {.returned_at = record.returned_at, .size = 2};
        }
        records.push_back(record);
    }
    return records;
}

std::vector<TransmitRecord> sample_transmitted(std::size_t count) {
    std::vector<TransmitRecord> records;
    for (const SentRecord& sent : sample_sent(count)) {
        records.push_back({sent.seq, sent.sent_at + Nanos{4'000 + noise(sent.seq * 3)}});
    }
    return records;
}

std::vector<ConnectionSample> sample_connection(std::size_t count) {
    std::vector<ConnectionSample> samples;
    for (std::size_t i = 0; i < count; ++i) {
        ConnectionSample sample{.at = wall_time_from_ns(kStart + static_cast<std::int64_t>(i) * 1'000'000'000),
                                .rtt = Nanos{200'000 + noise(i)},
                                .rtt_variation = Nanos{noise(i * 3)},
                                .cwnd = 14'480 + 1448 * i,
                                .in_flight = i % 3 * 1448,
                                .retransmitted = i / 4,
                                .retransmitted_bytes = i / 4 * 1448,
                                .segment = 1448};
        if (i > 2) {
            sample.ssthresh = 20'000;
            sample.delivery_rate_bps = 10'000'000 + static_cast<std::uint64_t>(noise(i));
        }
        samples.push_back(sample);
    }
    return samples;
}

LogText sample_measured_log(LogRole role) {
    MemorySink sink;
    RunMetadata metadata = sample_metadata(role);
    metadata.clock = ClockHealth{.synchronised = true,
                                 .estimated_error = Nanos{23'000},
                                 .maximum_error = Nanos{1'500'000},
                                 .frequency_ppm = -12.5};
    LogWriter writer(sink, metadata);
    if (role == LogRole::sender) {
        writer.add(FlowId{1}, sample_sent(60));
        writer.add(FlowId{1}, sample_returned(60));
        writer.add(FlowId{1}, sample_transmitted(60));
    } else {
        writer.add(FlowId{1}, sample_received_headers(60));
    }
    writer.add(FlowId{2}, sample_connection(12));
    writer.flush();
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
