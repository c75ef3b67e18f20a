// Calibrations with fixed figures, and a folder for them, for tests.
#pragma once

#include <filesystem>
#include <string>

#include "common/os/temporary_folder.hpp"
#include "sender/calibration/calibration_plan.hpp"
#include "sender/calibration/point_result.hpp"

namespace groma {

class CalibrationFolder {
public:
    [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }
    [[nodiscard]] std::filesystem::path database() const { return folder_.path() / "calibration.db"; }

private:
    TemporaryFolder folder_;
};

/// Two rates, sizes, distributions and ways of logging, two repetitions.
[[nodiscard]] inline CalibrationSettings small_settings() {
    return {.rates_pps = {1000, 2000},
            .sizes_bytes = {64, 512},
            .distributions = {GapFamily::constant, GapFamily::exponential},
            .loggings = {LoggingWay::local, LoggingWay::off},
            .repetitions = 2,
            .point_time = std::chrono::seconds(1),
            .seed = 7};
}

/// The settings without options.
[[nodiscard]] inline CalibrationSettings usual_settings(bool log_server, std::uint64_t fresh_seed) {
    const CalibrationArguments nothing;
    return choose_settings(nothing, log_server, fresh_seed);
}

/// A host that keeps every rate up to `most_pps` exactly and sends no more than that.
[[nodiscard]] inline PointResult measured(const Point& point, double most_pps = 1e9) {
    PointResult result;
    result.point = point;
    result.run_id = "0123456789abcdef0123456789abcdef";
    result.started_at = wall_time_from_ns(1'700'000'000'000'000'000);
    result.took = std::chrono::seconds(2);
    result.idt = "const:1000pps";
    const bool kept = point.rate_pps <= most_pps;
    result.verdict = kept ? "as_asked" : "not_as_asked";
    result.explanation = kept ? "as asked" : "not as asked: too fast";
    PointFigures& figures = result.figures;
    figures["elapsed_s"] = 1;
    figures["scheduled_pps"] = point.rate_pps;
    figures["sent_pps"] = kept ? point.rate_pps : most_pps;
    figures["scheduled_bps"] = 8 * point.series.size_bytes * point.rate_pps;
    figures["sent_bps"] = 8 * point.series.size_bytes * figures["sent_pps"];
    figures["rate_error"] = kept ? 0 : 1 - most_pps / point.rate_pps;
    figures["sent_packets"] = figures["sent_pps"];
    figures["received_packets"] = figures["sent_pps"];
    figures["lost"] = 0;
    figures["kernel_drops"] = 0;
    figures["cut_short"] = kept ? 0 : 1;
    figures["dropped"] = 0;
    figures["packets_alone"] = figures["sent_pps"];
    figures["lateness_p50_ns"] = 100.0 * point.repetition;
    figures["lateness_p99_ns"] = 1000;
    figures["cpu_user_s"] = 0.1;
    figures["cpu_system_s"] = 0.2;
    if (point.series.logging != LoggingWay::off) {
        figures["log_records"] = figures["sent_pps"];
        figures["sent_records_missing"] = 0;
        figures["log_bytes"] = 8 * figures["sent_pps"];
    }
    if (point.series.distribution != GapFamily::constant) {
        figures["lambda2"] = 0.001;
        figures["lambda2_error"] = 0.0005;
        figures["fit_gaps"] = 1999;
        figures["fit_bins"] = 32;
        figures["ks"] = 0.01;
        figures["a2"] = 0.4;
    }
    return result;
}

}  // namespace groma
