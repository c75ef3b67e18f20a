// What was sent and what arrived in one interval of a run: of each flow, and of all together. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "common/base/ids.hpp"
#include "common/figures/figure.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// One-way delays by the clocks of both hosts: below zero where these disagree.
struct RowDelays {
    std::uint64_t packets = 0;  ///< 0: the rest has no meaning
    Nanos min{0};
    Nanos p50{0};
    Nanos p90{0};
    Nanos p99{0};
    Nanos max{0};
    bool operator==(const RowDelays&) const = default;
};

/// One flow, or all together, in one interval. The counts of all rows add up to those of the report.
struct RowFigures {
    Nanos from{0};  ///< from the common start
    Nanos length{0};
    std::optional<std::uint64_t> sent_packets{};
    std::optional<std::uint64_t> sent_bytes{};
    // What all its receivers tell, copies included; empty: one of them has not told.
    std::optional<std::uint64_t> received_packets{};
    std::optional<std::uint64_t> received_bytes{};
    std::optional<Nanos> received_over{};             ///< by the receivers' clocks: the mean of several; empty: unknown
    std::optional<std::uint64_t> missing_packets{};   ///< so far: numbers below the highest that have not arrived
    std::optional<std::uint64_t> lost{};              ///< in the whole run; only in the last row
    std::optional<std::uint64_t> returned_packets{};  ///< replies, with the round-trip meter
    std::optional<std::uint64_t> retransmitted{};     ///< segments or chunks that the transport sent again
    std::optional<Nanos> rtt_transport{};             ///< smoothed, of a single flow, at the end of the interval
    std::optional<RowDelays> delays{};                ///< of packets that arrived; empty: unknown

    // Empty: unknown, or over no time.
    [[nodiscard]] std::optional<double> sent_pps() const;
    [[nodiscard]] std::optional<double> sent_bps() const;
    [[nodiscard]] std::optional<double> packet_rate_pps() const;
    [[nodiscard]] std::optional<double> throughput_bps() const;
    [[nodiscard]] std::optional<double> returned_pps() const;

    /// What the packets that arrived are divided by when rows are joined: `received_over`, or where only packets are
    /// known the length.
    [[nodiscard]] std::optional<Nanos> counted_over() const;
};

struct FlowRow {
    FlowId flow;
    std::string name;
    RowFigures figures;
};

struct IntervalRow {
    bool last = false;  ///< what came after the flows had ended
    RowFigures all{};
    std::vector<FlowRow> flows{};  ///< in the order of the experiment; empty: too many
};

/// The figures of a sender's row (docs/reference/rows.md).
[[nodiscard]] const FigureTable<RowFigures>& row_figures();

/// These, counted_over() and delays: the figures of a live page (docs/guide/page.md).
[[nodiscard]] const FigureTable<RowFigures>& live_figures();

/// Two intervals as one, `later` right after `earlier`: counts are added up, and the times that they are over.
/// Percentiles cannot be: they are the larger ones, upper bounds of those of all packets. A count that one of them does
/// not know is the other's. The page in a browser does the same (common/page/files/page.js).
[[nodiscard]] RowFigures joined(const RowFigures& earlier, const RowFigures& later);

/// A row whose counts are all that is joined: rates of all rows are over the time in which flows sent, and a last row
/// is what came thereafter.
[[nodiscard]] RowFigures without_time(RowFigures row);

}  // namespace groma
