#include "plots/plot_results.hpp"

#include <algorithm>
#include <optional>
#include <ostream>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/cli/human.hpp"
#include "plots/calibration.hpp"
#include "plots/calibration_pictures.hpp"
#include "plots/distribution_pictures.hpp"
#include "plots/draw.hpp"
#include "plots/results.hpp"
#include "plots/series_pictures.hpp"

namespace groma {

namespace {

void select_flows(RunResults& run, const std::vector<std::int64_t>& wanted) {
    if (wanted.empty()) {
        return;
    }
    for (const std::int64_t flow : wanted) {
        if (std::ranges::none_of(run.flows, [&](const FlowResults& each) { return each.flow == flow; })) {
            throw UsageError("--flows: the run has no flow " + std::to_string(flow) + " (it has " +
                             std::to_string(run.flows.size()) + " flows)");
        }
    }
    std::erase_if(run.flows,
                  [&](const FlowResults& flow) { return std::ranges::find(wanted, flow.flow) == wanted.end(); });
}

/// What stands over every picture of a run, before what it shows.
std::string heading(const RunResults& run, const PlotOptions& options) {
    const std::string name =
        options.title.value_or(run.experiment.empty() ? "run " + run.run_id.substr(0, 8) : run.experiment);
    return run.flows.size() > kMostCurves ? name + " (" + std::to_string(run.flows.size()) + " flows)" : name;
}

/// Delays are no better than the agreement of the two clocks.
std::string clock_note(const RunResults& run, const std::string& stem) {
    if (not stem.starts_with("delay")) {
        return {};
    }
    if (run.clock == "relative") {
        return ", relative to the smallest of each flow";
    }
    if (run.clock_bound_ns.value_or(0) <= 0) {
        return {};
    }
    return ", clocks agree within " + human_time(Nanos(static_cast<std::int64_t>(*run.clock_bound_ns)));
}

std::string text_of(const char* needs) {
    return needs == nullptr ? "" : needs;
}

class Plotter {
public:
    Plotter(const PlotOptions& options, std::ostream& out, std::ostream& notes)
        : options_(options), out_(out), notes_(notes) {}

    void plot(const RunResults& run, const std::string& prefix) {
        for (const SeriesMeasure& measure : series_measures()) {
            finish(draw_series(run, measure), run, prefix, {measure.stem, text_of(measure.needs)});
        }
        for (const DistributionMeasure& measure : distribution_measures()) {
            finish(draw_distribution(run, measure), run, prefix, {measure.stem, text_of(measure.needs)});
        }
    }

private:
    struct Wanted {
        std::string stem;
        std::string needs;
    };

    void finish(std::optional<Picture> picture, const RunResults& run, const std::string& prefix,
                const Wanted& wanted) {
        if (not picture and wanted.needs.empty()) {
            return;  // what only some runs have is not missed by the others
        }
        if (not picture) {
            notes_ << "not drawn: " << prefix << wanted.stem << " (nothing is known of it; it needs " << wanted.needs
                   << ")\n";
            return;
        }
        picture->title = heading(run, options_) + ": " + picture->title + clock_note(run, wanted.stem);
        picture->stem = prefix + picture->stem;
        for (const PictureFormat format : options_.formats) {
            out_ << draw(*picture, format, options_.directory).string() << '\n' << std::flush;
        }
    }

    const PlotOptions& options_;
    std::ostream& out_;
    std::ostream& notes_;
};

void make_directory(const std::filesystem::path& directory) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error) {
        throw SystemError("make the directory " + directory.string(), error.value());
    }
}

void plot_calibration(const PlotOptions& options, std::ostream& out) {
    if (not options.flows.empty()) {
        throw UsageError("--flows: a calibration has points and no flows");
    }
    CalibrationResults results = read_calibration_results(options.results);
    results.title = options.title.value_or(results.title);
    const std::vector<Picture> pictures = calibration_pictures(results);
    if (pictures.empty()) {
        throw RunError(options.results.string() + " holds no point that could be drawn");
    }
    make_directory(options.directory);
    for (const Picture& picture : pictures) {
        for (const PictureFormat format : options.formats) {
            out << draw(picture, format, options.directory).string() << '\n' << std::flush;
        }
    }
}

}  // namespace

void plot_results(const PlotOptions& options, std::ostream& out, std::ostream& notes) {
    if (is_calibration(options.results)) {
        plot_calibration(options, out);
        return;
    }
    std::vector<RunResults> runs = read_results(options.results);
    if (runs.empty()) {
        throw RunError(options.results.string() + " holds no run");
    }
    for (RunResults& run : runs) {
        select_flows(run, options.flows);
    }
    make_directory(options.directory);
    Plotter plotter(options, out, notes);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        plotter.plot(runs[i], runs.size() > 1 ? "run" + std::to_string(i + 1) + "-" : "");
    }
}

}  // namespace groma
