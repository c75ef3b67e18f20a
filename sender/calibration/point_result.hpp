// What was measured at a point: the figures that the database and the data sheet are made of.
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

/// What is kept of a run: the report's figures of its only flow and of what it cost, under their names there
/// (docs/reference/report-figures.md), and a few more.
[[nodiscard]] const FigureTable<SendReport>& point_figures();

/// By their names in point_figures(); what is unknown is absent.
using PointFigures = std::map<std::string, double, std::less<>>;

/// Requires: a name in point_figures().
[[nodiscard]] std::optional<double> known(const PointFigures& figures, std::string_view name);

/// So many gaps from `low_ns` up to, but not including, `high_ns`, and the share that the model asks for. The last bin
/// has no end.
struct GapBin {
    double low_ns = 0;
    std::optional<double> high_ns;
    std::uint64_t count = 0;
    double asked_share = 0;
    bool operator==(const GapBin&) const = default;
};

/// What its members mean: point_columns() (schema.hpp).
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
    std::vector<GapBin> gaps{};  ///< of points that keep them
    bool operator==(const PointResult&) const = default;
};

/// Requires: one flow.
[[nodiscard]] PointFigures figures_of(const SendReport& report);

/// Whether the rate was kept: the run went to its end, every departure was sent, and the rate error is known and at
/// most `tolerance`.
[[nodiscard]] bool rate_kept(const PointFigures& figures, double tolerance);

/// Whether all that was due was sent, at whatever rate.
[[nodiscard]] bool all_sent(const PointFigures& figures);

/// sent_pps / scheduled_pps. Without rates 1, or 0 when that is because packets could not be sent.
[[nodiscard]] double sent_over_asked(const PointFigures& figures);

}  // namespace groma
