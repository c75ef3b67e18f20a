// What was measured at a point: the figures that the database and the data sheet are made of.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/time/instant.hpp"
#include "sender/calibration/calibration_plan.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

using Figure = std::optional<double>;  ///< nothing: not known, or there is none

/// Units are in the names. What they mean is in docs/reference/metrics.md under the same names.
struct PointFigures {
    Figure elapsed_s;
    Figure asked_pps;  ///< of what the schedule drew
    Figure sent_pps;
    Figure asked_bps;  ///< payload
    Figure sent_bps;
    Figure rate_error;
    Figure packets;
    Figure bytes;
    Figure received;
    Figure lost;
    Figure duplicates;
    Figure reordered;
    Figure kernel_drops;  ///< at the receiver's socket
    Figure dropped;       ///< by this host's kernel
    Figure blocked;
    Figure unsent;        ///< packets that this host could not send: dropped, too big, given up
    Figure missed_slots;  ///< departures that were left out (lateness policy skip)
    Figure cut_short;     ///< 1 or 0
    Figure lateness_p50_ns;
    Figure lateness_p90_ns;
    Figure lateness_p99_ns;
    Figure lateness_p999_ns;
    Figure lateness_max_ns;
    Figure late_packets;
    Figure gap_error_mean_ns;
    Figure gap_error_p50_ns;
    Figure gap_error_p90_ns;
    Figure gap_error_p99_ns;
    Figure gap_error_p999_ns;
    Figure gap_error_max_ns;
    Figure gap_variation;
    Figure gaps_within_1us;
    Figure gaps_within_10us;
    Figure gaps_within_100us;
    Figure alone;
    Figure batched;
    Figure largest_batch;
    Figure behind_s;
    Figure fit_gaps;
    Figure fit_bins;
    Figure lambda2;
    Figure lambda2_error;
    Figure ks;
    Figure ks_within;
    Figure a2;
    Figure cpu_user_s;  ///< of the sending program while it sent, its log included
    Figure cpu_system_s;
    Figure switches_voluntary;
    Figure switches_involuntary;
    Figure receiver_user_s;  ///< of the receiving program during the run
    Figure receiver_system_s;
    Figure records;  ///< in the sender's log
    Figure records_lost;
    Figure log_bytes;
    Figure receiver_records_lost;
    bool operator==(const PointFigures&) const = default;
};

/// A figure's name in the database, and where it is. `whole`: a count, 0 or 1.
struct FigureColumn {
    const char* name;
    Figure PointFigures::*figure;
    bool whole;
};

/// All of them, in the order of the structure.
[[nodiscard]] std::span<const FigureColumn> figure_columns();

/// So many gaps from `low_ns` up to, but not including, `high_ns`, and the share that the model asks for. The last bin
/// has no end.
struct GapBin {
    double low_ns = 0;
    std::optional<double> high_ns;
    std::uint64_t count = 0;
    double asked_share = 0;
    bool operator==(const GapBin&) const = default;
};

struct PointResult {
    Point point;
    std::string run_id;
    WallTime started_at{};
    Nanos took{0};            ///< the whole point, with sessions and logs
    std::string idt;          ///< as asked: "exp:1000pps"
    std::string verdict;      ///< "as_asked", "within", "not_as_asked"
    std::string explanation;  ///< the verdict in words
    std::string failures;     ///< why it was not sent to its end or not recorded whole; empty: it was
    std::string remarks{};    ///< what was asked of the sender and could not be had, such as real time; empty: nothing
    PointFigures figures;
    std::vector<GapBin> gaps{};  ///< of points that keep them
    bool operator==(const PointResult&) const = default;
};

/// The figures of a run with one flow.
/// Requires: one flow.
[[nodiscard]] PointFigures figures_of(const SendReport& report);

/// Whether the rate was kept: the run went to its end, every departure was sent, and the rate error is known and at
/// most `tolerance`.
[[nodiscard]] bool rate_kept(const PointFigures& figures, double tolerance);

/// Whether all that was due was sent, at whatever rate.
[[nodiscard]] bool all_sent(const PointFigures& figures);

/// sent_pps / asked_pps. Without rates 1, or 0 when that is because packets could not be sent.
[[nodiscard]] double sent_over_asked(const PointFigures& figures);

}  // namespace groma
