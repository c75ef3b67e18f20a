// Reads one log: hands its records to the analyzers of their flows and keeps everything else.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "decoder/analysis/flow_analysis.hpp"
#include "decoder/logs/catalogue.hpp"
#include "decoder/results/results.hpp"

namespace groma {

/// The kind of the event that a host's clock was set.
inline constexpr std::string_view kClockStepped = "clock-stepped";

/// Called with the number of bytes of a log that were read so far.
using ReadProgress = std::function<void(const LogSource& log, std::uint64_t bytes)>;

class LogTally final : public LogVisitor {
public:
    /// All outlive the tally; `progress` may be empty.
    LogTally(const CataloguedLog& log, FlowAnalyses& flows, const ReadProgress& progress);

    /// Reads the log with this number of threads. Throws: what LogSource::read throws.
    void read(unsigned threads);

    [[nodiscard]] const RunMetadata& metadata() const { return result_.metadata; }
    [[nodiscard]] const std::vector<ClockProbe>& probes() const { return probes_; }
    /// Afterwards metadata(), totals() and complaints() are empty.
    [[nodiscard]] LogResult take_result();
    /// Of a flow; null if the log was cut short or lacks the flow.
    [[nodiscard]] const FlowTotals* totals(FlowId flow) const;

    /// Whether records may be missing between those that are there.
    [[nodiscard]] bool has_holes() const;
    /// Whether its host's clock was set during the run, as far as the program that wrote it noticed.
    [[nodiscard]] bool clock_was_set() const;
    /// What is wrong with the log, a sentence each.
    [[nodiscard]] std::vector<std::string> complaints() const;

    void on_sent(FlowId flow, std::span<const SentRecord> records) override;
    void on_received(FlowId flow, std::span<const ReceivedRecord> records) override;
    [[nodiscard]] bool takes_metadata() const override { return false; }  // the catalogue has read them
    [[nodiscard]] bool takes_columns() const override { return true; }
    void on_sent_columns(FlowId flow, const SentColumns& records) override;
    void on_received_columns(FlowId flow, const ReceivedColumns& records) override;
    void on_returned(FlowId flow, std::span<const RoundTripRecord> records) override;
    void on_transmitted(FlowId flow, std::span<const TransmitRecord> records) override;
    void on_connection(FlowId flow, std::span<const ConnectionSample> samples) override;
    void on_probe(const ClockProbe& probe) override;
    void on_event(const LogEvent& event) override;
    void on_totals(const LogTotals& totals) override;
    void on_gap(const LogGap& gap) override;
    void on_progress(std::uint64_t offset) override;

private:
    static void add_received(FlowAnalysis& flow, const ReceivedRecord& record);
    void count(FlowId flow, std::uint64_t records, LogRole role);
    [[nodiscard]] FlowAnalysis* sent_flow(FlowId flow) const;      ///< null: not this log's
    [[nodiscard]] FlowAnalysis* received_flow(FlowId flow) const;  ///< likewise

    const LogSource& source_;
    FlowAnalyses& flows_;
    const ReadProgress& progress_;
    std::set<FlowId> own_flows_;
    std::map<FlowId, std::size_t> place_in_totals_;
    LogResult result_;
    std::vector<ClockProbe> probes_;
    // All reading threads count here. Everything else belongs to the thread of its flow, or to the caller.
    std::atomic<std::uint64_t> records_ = 0;
    std::atomic<std::uint64_t> packet_records_ = 0;  ///< part of them: of packets sent or received
    std::atomic<std::uint64_t> misplaced_ = 0;
    std::atomic<std::uint64_t> left_out_ = 0;  ///< records of a kind that their flow cannot have
    std::uint64_t unkept_ = 0;                 ///< probes and events beyond the limit
    std::uint64_t repeated_ = 0;               ///< totals, and entries in them, that were there before
};

}  // namespace groma
