// Logs for tests: a sink that keeps bytes, a visitor that keeps what it gets, and small logs of either side with known
// values.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "common/log/log_reader.hpp"
#include "common/log/log_sink.hpp"
#include "common/log/log_writer.hpp"

namespace groma {

using LogText = std::vector<std::byte>;

class MemorySink final : public LogSink {
public:
    void append(std::span<const std::byte> piece) override {
        pieces.emplace_back(piece.begin(), piece.end());
        log.insert(log.end(), piece.begin(), piece.end());
    }
    void close() override { closed = true; }
    [[nodiscard]] std::string describe() const override { return "memory"; }

    LogText log;
    std::vector<LogText> pieces;
    bool closed = false;
};

/// The contents of a log, in order within each kind.
struct WholeLog final : public LogVisitor {
    void on_metadata(const RunMetadata& what) override { metadata.push_back(what); }
    void on_sent(FlowId flow, std::span<const SentRecord> records) override {
        auto& kept = sent[flow];
        kept.insert(kept.end(), records.begin(), records.end());
    }
    void on_received(FlowId flow, std::span<const ReceivedRecord> records) override {
        auto& kept = received[flow];
        kept.insert(kept.end(), records.begin(), records.end());
    }
    void on_returned(FlowId flow, std::span<const RoundTripRecord> records) override {
        auto& kept = returned[flow];
        kept.insert(kept.end(), records.begin(), records.end());
    }
    void on_transmitted(FlowId flow, std::span<const TransmitRecord> records) override {
        auto& kept = transmitted[flow];
        kept.insert(kept.end(), records.begin(), records.end());
    }
    void on_connection(FlowId flow, std::span<const ConnectionSample> samples) override {
        auto& kept = connection[flow];
        kept.insert(kept.end(), samples.begin(), samples.end());
    }
    void on_probe(const ClockProbe& probe) override { probes.push_back(probe); }
    void on_event(const LogEvent& event) override { events.push_back(event); }
    void on_totals(const LogTotals& what) override { totals.push_back(what); }
    void on_gap(const LogGap& gap) override { gaps.push_back(gap); }

    /// All records of all kinds.
    [[nodiscard]] std::size_t records() const;

    std::vector<RunMetadata> metadata;
    std::map<FlowId, std::vector<SentRecord>> sent;
    std::map<FlowId, std::vector<ReceivedRecord>> received;
    std::map<FlowId, std::vector<RoundTripRecord>> returned;
    std::map<FlowId, std::vector<TransmitRecord>> transmitted;
    std::map<FlowId, std::vector<ConnectionSample>> connection;
    std::vector<ClockProbe> probes;
    std::vector<LogEvent> events;
    std::vector<LogTotals> totals;
    std::vector<LogGap> gaps;
};

/// Throws: ParseError.
[[nodiscard]] WholeLog read_all(std::span<const std::byte> log);

[[nodiscard]] RunMetadata sample_metadata(LogRole role);
[[nodiscard]] ClockProbe sample_probe();
[[nodiscard]] LogEvent sample_event();
[[nodiscard]] LogTotals sample_totals();
[[nodiscard]] std::vector<SentRecord> sample_sent(std::size_t count, std::uint64_t first_seq = 0);
[[nodiscard]] std::vector<ReceivedRecord> sample_received(std::size_t count);

/// With the TTL and DS byte of each packet.
[[nodiscard]] std::vector<ReceivedRecord> sample_received_headers(std::size_t count);
/// Some replies have no stamps of the receiver, some not even a sequence number.
[[nodiscard]] std::vector<RoundTripRecord> sample_returned(std::size_t count);
[[nodiscard]] std::vector<TransmitRecord> sample_transmitted(std::size_t count);
[[nodiscard]] std::vector<ConnectionSample> sample_connection(std::size_t count);

/// A closed log of two flows, with the blocks that every log has. The same bytes on every machine.
[[nodiscard]] LogText sample_log(LogRole role);
/// The same with the blocks that only some runs have: round trips, transmit stamps, states of connections, headers.
[[nodiscard]] LogText sample_measured_log(LogRole role);

/// Where the blocks of an undamaged log start, and where it ends.
[[nodiscard]] std::vector<std::size_t> block_starts(const LogText& log);

/// The log with one bit of that byte wrong.
[[nodiscard]] LogText flipped(LogText log, std::size_t byte, unsigned bit = 0);

}  // namespace groma
