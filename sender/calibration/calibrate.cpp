#include "sender/calibration/calibrate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/flow/flow_text.hpp"
#include "common/model/text/human.hpp"
#include "common/os/output.hpp"
#include "sender/calibration/calibration_folder.hpp"
#include "sender/calibration/data_sheet.hpp"
#include "sender/calibration/limit_search.hpp"
#include "sender/calibration/store.hpp"

namespace groma {

namespace {

constexpr Nanos kBeforeAnotherTry = std::chrono::seconds(3);

class Calibration {
public:
    Calibration(const SenderOptions& options, std::uint64_t fresh_seed, const CalibrationSurroundings& around)
        : arguments_(*options.calibration),
          around_(around),
          folder_(arguments_.out),
          store_(arguments_.out / "calibration.db"),
          settings_(own_settings(options, fresh_seed)),
          began_(around.clock.now()),
          points_(sweep_points(settings_)) {
        if (store_.facts("settings").empty()) {
            store_.keep_facts("settings", settings_facts(settings_));
            store_.keep_facts("options", option_facts(options));
        }
        check_host("sender", around.sender);
        for (const PointResult& result : store_.results()) {
            note(result.point, result.figures, result.took);
        }
    }

    CalibrationOutcome run() {
        announce();
        CalibrationOutcome outcome;
        outcome.complete = sweep() and search();
        finish(outcome);
        return outcome;
    }

private:
    CalibrationSettings own_settings(const SenderOptions& options, std::uint64_t fresh_seed) {
        const Facts kept = store_.facts("settings");
        if (kept.empty()) {
            return sendable(choose_settings(arguments_, options.log_server.has_value(), fresh_seed));
        }
        CalibrationSettings settings = understood(kept);
        std::vector<std::string> reasons = differences(settings, arguments_);
        std::ranges::move(option_differences(store_.facts("options"), option_facts(options)),
                          std::back_inserter(reasons));
        refuse_other(arguments_.out, reasons);
        return settings;
    }

    [[nodiscard]] CalibrationSettings understood(const Facts& kept) const {
        try {
            return sendable(settings_from(kept));
        } catch (const UsageError& error) {
            const std::string folder = arguments_.out.string();
            throw RunError("the calibration in " + folder + " is damaged: " + plain_text(error.what()));
        }
    }

    /// Throws: UsageError when the transport cannot send what was asked for.
    [[nodiscard]] CalibrationSettings sendable(CalibrationSettings settings) const {
        for (const Series& series : series_of(settings)) {
            const Point point{PointKind::sweep, series, settings.rates_pps.front(), 1};
            for (const std::string& error : validate(flow_of(settings, point, arguments_.to))) {
                throw UsageError(error);
            }
        }
        return settings;
    }

    void check_host(const std::string& which, const Facts& now) {
        const Facts kept = store_.facts(which);
        refuse_other_host(arguments_.out, which, kept, now);
        if (kept != now) {
            store_.keep_facts(which, now);
        }
    }

    [[nodiscard]] Nanos overhead() const { return measured_ > 0 ? extra_ / measured_ : kUsualOverhead; }

    [[nodiscard]] Nanos time_left() const {
        std::vector<Point> points;
        std::ranges::copy_if(points_, std::back_inserter(points), [this](const Point& point) {
            return not store_.figures(point) and not ends_.ended_before(point);
        });
        return estimate(settings_, points, overhead()) +
               (searching_ ? Nanos(0) : estimate_searches(settings_, overhead()));
    }

    void announce() {
        const Nanos time = time_left();
        const auto known = store_.results().size();
        around_.say(fmt::format("{} in {}, about {}{}", counted(points_.size(), "point"), arguments_.out.string(),
                                human_time(std::chrono::round<std::chrono::seconds>(time)),
                                known > 0 ? fmt::format(" ({} have been measured already)", known) : ""));
    }

    void note(const Point& point, const PointFigures& figures, Nanos took) {
        if (point.kind == PointKind::sweep) {
            ends_.add(point, sent_over_asked(figures));
        }
        extra_ += took - duration_at(settings_, point.rate_pps);
        ++measured_;
    }

    [[nodiscard]] bool out_of_time() const {
        return arguments_.max_time and around_.clock.now() - began_ >= *arguments_.max_time;
    }

    /// What is in the database, or else what is measured now. Nothing: the user, or the clock, says stop.
    std::optional<PointFigures> measure(const Point& point) {
        if (auto known = store_.figures(point)) {
            return known;
        }
        if (around_.stop_requests() > 0 or out_of_time()) {
            return std::nullopt;
        }
        show(point);
        const std::optional<PointResult> result = run_point(point);
        if (not result) {
            return std::nullopt;
        }
        store_.add(*result);
        note(point, result->figures, result->took);
        return result->figures;
    }

    /// What fails is tried once more after a pause: the receiver may still be busy with a run that was killed.
    std::optional<PointResult> run_point(const Point& point) {
        for (bool first = true;; first = false) {
            try {
                return around_.run_point(settings_, point,
                                         [this](const Facts& facts) { check_host("receiver", facts); });
            } catch (const OtherCalibration&) {
                throw;
            } catch (const std::runtime_error& error) {
                if (around_.stop_requests() > 0) {  // it was stopped before anything of the point was sent
                    return std::nullopt;
                }
                if (not first) {
                    throw RunError(std::string(error.what()) + ". " + what_is_kept());
                }
                around_.say(std::string(error.what()) + "; trying once more");
            }
            around_.clock.sleep_until(around_.clock.now() + kBeforeAnotherTry);
        }
    }

    [[nodiscard]] std::string what_is_kept() const {
        return fmt::format("{} {} in {}; the same command goes on from there",
                           counted(store_.results().size(), "point"), by_count(store_.results().size(), "is", "are"),
                           arguments_.out.string());
    }

    void show(const Point& point) {
        if (not around_.show_progress) {
            return;
        }
        const Series& series = point.series;
        around_.show_progress(fmt::format(
            "{} {}, {} gaps, {} B, logs: {}; about {} left",
            point.kind == PointKind::sweep ? fmt::format("{} of {}:", done_ + 1, points_.size()) : "searching:",
            human_rate(point.rate_pps), to_string(series.distribution), series.size_bytes, to_string(series.logging),
            human_time(std::chrono::round<std::chrono::seconds>(time_left()))));
    }

    /// Returns: whether all of it has been measured.
    bool sweep() {
        for (const Point& point : points_) {
            if (not ends_.ended_before(point) and not measure(point)) {
                return false;
            }
            ++done_;
        }
        return true;
    }

    bool search() {
        searching_ = true;
        const std::vector<PointResult> swept = store_.results();
        for (const Search& search : searches(settings_)) {
            const auto limit =
                search_limit(settings_, search, swept, [this](const Point& point) { return measure(point); });
            if (not limit) {
                return false;
            }
            limits_.push_back(*limit);
        }
        store_.keep_limits(limits_);
        return true;
    }

    void finish(CalibrationOutcome& outcome) {
        const DataSheet sheet{.settings = settings_,
                              .sender = store_.facts("sender"),
                              .receiver = store_.facts("receiver"),
                              .options = store_.facts("options"),
                              .results = store_.results(),
                              .limits = limits_,
                              .complete = outcome.complete};
        outcome.text = data_sheet_text(sheet);
        static_cast<void>(write_output(arguments_.out / "data-sheet.txt", outcome.text));
        if (not sheet.results.empty() and around_.stop_requests() == 0) {
            around_.say(around_.draw(arguments_.out / "calibration.db"));
        }
        if (not outcome.complete) {
            outcome.rest = (out_of_time() ? "the time of --max-time is over: " : "stopped: ") + what_is_kept();
        }
    }

    const CalibrationArguments& arguments_;
    const CalibrationSurroundings& around_;
    OwnFolder folder_;
    CalibrationStore store_;
    CalibrationSettings settings_;
    MonoTime began_;
    std::vector<Point> points_;
    SeriesEnds ends_;
    Nanos extra_{0};
    std::int64_t measured_ = 0;
    std::size_t done_ = 0;
    bool searching_ = false;
    std::vector<Limit> limits_;
};

}  // namespace

CalibrationOutcome calibrate(const SenderOptions& options, std::uint64_t fresh_seed,
                             const CalibrationSurroundings& around) {
    check(options.calibration.has_value(), "a calibration was asked for");
    return Calibration(options, fresh_seed, around).run();
}

}  // namespace groma
