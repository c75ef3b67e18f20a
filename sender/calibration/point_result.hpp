// The measurement at one point: the figures for the database and the data sheet.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/figures/figure.hpp"
#include "common/time/instant.hpp"
#include "sender/calibration/calibration_plan.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

/// The figures kept from a run: the report's figures of its only flow and of its cost, under the same names
/// (docs/reference/report-figures.md), and a few more.
[[nodiscard]] const FigureTable<SendReport>& point_figures();

/// Keyed by names in point_figures(); unknown figures are absent.
using PointFigures = std::map<std::string, double, std::less<>>;

/// Requires: a name in point_figures().
[[nodiscard]] std::optional<double> known(const PointFigures& figures, std::string_view name);

/// The gaps in [`low_ns`, `high_ns`) and the share that the model requests. The last bin is unbounded.
struct GapBin {
    double low_ns = 0;
    std::optional<double> high_ns;
    std::uint64_t count = 0;
    double asked_share = 0;
    bool operator==(const GapBin&) const = default;
};

/// point_columns() (schema.hpp) describes the members.
struct PointResult {
    Point point;
    std::string run_id;
    WallTime started_at{};
    Nanos took{0};
    std::string idt;
    std::string verdict;
    std::string explanation;
    std::string failures;
    std::string warnings{};
    PointFigures figures;
    std::vector<GapBin> gaps{};  ///< only for points that keep them
    bool operator==(const PointResult&) const = default;
};

/// Requires: one flow.
[[nodiscard]] PointFigures figures_of(const SendReport& report);

/// Whether the rate was kept: the run completed, every departure was sent, and the rate error is known and at most
/// `tolerance`.
[[nodiscard]] bool rate_kept(const PointFigures& figures, double tolerance);

/// Whether every due departure was sent, at any rate.
[[nodiscard]] bool all_sent(const PointFigures& figures);

/// sent_pps / scheduled_pps. If rates are unknown: 0 if packets could not be sent, else 1.
[[nodiscard]] double sent_over_asked(const PointFigures& figures);

}  // namespace groma
