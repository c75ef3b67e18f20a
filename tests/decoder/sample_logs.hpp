// Logs for tests, as values: what a sender or a receiver would have written, handed over without a file.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "decoder/analysis/run_analysis.hpp"
#include "decoder/logs/log_source.hpp"

namespace groma {

inline constexpr std::int64_t kStartNs = 1'700'000'000'000'000'000;
inline constexpr Nanos kSecond{1'000'000'000};

struct SampleLog {
    RunMetadata metadata;
    std::vector<std::pair<FlowId, std::vector<SentRecord>>> sent;
    std::vector<std::pair<FlowId, std::vector<ReceivedRecord>>> received;
    std::vector<std::pair<FlowId, std::vector<RoundTripRecord>>> returned;
    std::vector<std::pair<FlowId, std::vector<TransmitRecord>>> transmitted;
    std::vector<std::pair<FlowId, std::vector<ConnectionSample>>> connection;
    std::vector<ClockProbe> probes;
    std::vector<LogEvent> events;
    std::vector<LogGap> gaps;
    std::optional<LogTotals> totals;

    [[nodiscard]] LogSource source(const std::string& name) const {
        return {name, 0, [log = *this](LogVisitor& visitor) { log.visit(visitor); }};
    }

private:
    void visit(LogVisitor& visitor) const {
        visitor.on_metadata(metadata);
        for (const auto& [flow, records] : sent) {
            visitor.on_sent(flow, records);
        }
        for (const auto& [flow, records] : received) {
            visitor.on_received(flow, records);
        }
        for (const auto& [flow, records] : returned) {
            visitor.on_returned(flow, records);
        }
        for (const auto& [flow, records] : transmitted) {
            visitor.on_transmitted(flow, records);
        }
        for (const auto& [flow, samples] : connection) {
            visitor.on_connection(flow, samples);
        }
        for (const auto& probe : probes) {
            visitor.on_probe(probe);
        }
        for (const auto& event : events) {
            visitor.on_event(event);
        }
        for (const auto& gap : gaps) {
            visitor.on_gap(gap);
        }
        if (totals) {
            visitor.on_totals(*totals);
        }
    }
};

inline SampleLog empty_log(LogRole role, std::uint32_t flows = 1) {
    SampleLog log;
    log.metadata.run_id = "0123456789abcdef0123456789abcdef";
    log.metadata.experiment = "sample";
    log.metadata.role = role;
    log.metadata.host = role == LogRole::sender ? "alpha" : "beta";
    log.metadata.boot_id = "one-boot";
    log.metadata.program = "a test";
    log.metadata.timestamps = "user";
    log.metadata.started_at = wall_time_from_ns(kStartNs);
    log.metadata.seed = 7;
    for (std::uint32_t id = 1; id <= flows; ++id) {
        FlowSetup flow;
        flow.spec.id = FlowId{id};
        flow.spec.name = "flow-" + std::to_string(id);
        flow.spec.target.host = "beta";
        flow.spec.stop.packets = 10;
        log.metadata.flows.push_back(flow);
    }
    return log;
}

/// Totals that agree with the records.
inline void close(SampleLog& log, const std::string& end = "complete") {
    LogTotals totals;
    totals.end = end;
    for (const auto& setup : log.metadata.flows) {
        FlowTotals flow;
        flow.flow = setup.spec.id;
        const auto add = [&](const auto& lists) {
            for (const auto& [id, records] : lists) {
                for (const auto& record : records) {
                    if (id == flow.flow) {
                        ++flow.packets;
                        ++flow.records;
                        flow.bytes += record.size;
                    }
                }
            }
        };
        add(log.sent);
        add(log.received);
        totals.flows.push_back(flow);
    }
    log.totals = totals;
}

/// A packet of 500 bytes, sent `offset_ns` after the start of the run.
inline SentRecord sent_packet(std::uint64_t seq, std::int64_t offset_ns, std::uint32_t size = 500) {
    return {
        .seq = seq, .sent_at = wall_time_from_ns(kStartNs + offset_ns), .lateness = Nanos{0}, .size = size, .batch = 1};
}

inline ReceivedRecord received_packet(std::uint64_t seq, std::int64_t sent_offset_ns, std::int64_t delay_ns,
                                      std::uint32_t size = 500) {
    return {.seq = seq,
            .sent_at = wall_time_from_ns(kStartNs + sent_offset_ns),
            .received_at = wall_time_from_ns(kStartNs + sent_offset_ns + delay_ns),
            .size = size};
}

/// The logs as one experiment, sender's first, with complete totals.
struct SamplePair {
    SampleLog sender = empty_log(LogRole::sender);
    SampleLog receiver = empty_log(LogRole::receiver);

    [[nodiscard]] Results analyzed(const AnalysisOptions& options = {}) const {
        return analyze({sender.source("send.glog"), receiver.source("recv.glog")}, options);
    }
};

/// Of results of one run with one flow.
inline const FlowResult& only_flow(const Results& results) {
    EXPECT_EQ(results.runs.size(), 1U);
    EXPECT_EQ(results.runs.front().flows.size(), 1U);
    return results.runs.front().flows.front();
}

inline SamplePair pair_of(std::vector<SentRecord> sent, std::vector<ReceivedRecord> received) {
    SamplePair pair;
    pair.sender.sent = {{FlowId{1}, std::move(sent)}};
    pair.receiver.received = {{FlowId{1}, std::move(received)}};
    close(pair.sender);
    close(pair.receiver);
    return pair;
}

/// Three packets, 10 ms apart; the second is lost, the third comes twice.
inline SamplePair small_pair() {
    return pair_of({sent_packet(0, 0), sent_packet(1, 10'000'000), sent_packet(2, 20'000'000)},
                   {received_packet(0, 0, 1'000'000), received_packet(2, 20'000'000, 3'000'000),
                    received_packet(2, 20'000'000, 4'000'000)});
}

/// With `text` in all texts of a log, and two flows so that there is a total.
inline SamplePair pair_that_says(const std::string& text) {
    SamplePair pair{.sender = empty_log(LogRole::sender, 2), .receiver = empty_log(LogRole::receiver, 2)};
    for (SampleLog* log : {&pair.sender, &pair.receiver}) {
        log->metadata.experiment = log->metadata.host = log->metadata.program = log->metadata.timestamps = text;
        for (FlowSetup& flow : log->metadata.flows) {
            flow.spec.name = flow.spec.profile = flow.spec.target.host = text;
        }
        log->events.push_back({wall_time_from_ns(kStartNs), FlowId{1}, text, text});
        log->gaps.push_back({.offset = 1, .bytes = 2, .reason = text});
    }
    pair.sender.sent = {{FlowId{1}, {sent_packet(0, 0)}}, {FlowId{2}, {sent_packet(0, 0)}}};
    pair.receiver.received = {{FlowId{1}, {received_packet(0, 0, 1)}}};
    close(pair.sender, text);
    close(pair.receiver, text);
    return pair;
}

}  // namespace groma
