#include "plots/command/plot_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <utility>

#include "common/base/counted.hpp"
#include "common/base/errors.hpp"
#include "common/model/text/human.hpp"
#include "plots/gnuplot/picture_writer.hpp"
#include "plots/gnuplot/style.hpp"
#include "plots/pictures/batch_pictures.hpp"
#include "plots/pictures/calibration_pictures.hpp"
#include "plots/pictures/fit_pictures.hpp"
#include "plots/pictures/run_kinds.hpp"
#include "plots/results/batch_results.hpp"
#include "plots/results/calibration.hpp"
#include "plots/results/compared_series.hpp"
#include "plots/results/comparison.hpp"
#include "plots/results/sqlite_series.hpp"
#include "plots/results/stored_fits.hpp"
#include "plots/results/stored_results.hpp"

namespace groma {

namespace {

void select_flows(RunResults& run, const std::vector<std::int64_t>& wanted) {
    if (wanted.empty()) {
        return;
    }
    for (const std::int64_t flow : wanted) {
        if (std::ranges::none_of(run.flows, [&](const FlowResults& each) { return each.flow == flow; })) {
            throw UsageError("--flows: the run has no flow " + std::to_string(flow) + " (it has " +
                             counted(run.flows.size(), "flow") + ")");
        }
    }
    std::erase_if(run.flows,
                  [&](const FlowResults& flow) { return std::ranges::find(wanted, flow.flow) == wanted.end(); });
}

/// What stands over every picture of a run, before what it shows.
std::string heading(const RunResults& run, const PlotOptions& options) {
    if (run.one == CurveOf::run) {
        return options.title.value_or(counted(run.flows.size(), "run") + " compared");
    }
    const std::string name =
        options.title.value_or(run.experiment.empty() ? "run " + run.run_id.substr(0, 8) : run.experiment);
    return run.flows.size() > kMostCurves ? name + " (" + std::to_string(run.flows.size()) + " flows)" : name;
}

/// Delays are no better than the agreement of the two clocks.
std::string clock_note(const RunResults& run) {
    if (run.has_relative_delays()) {
        return ", relative to the smallest of each flow";
    }
    if (run.clock_bound_ns.value_or(0) <= 0) {
        return {};
    }
    return ", clocks agree within " + human_nanos(*run.clock_bound_ns);
}

PictureWriter writer_of(const PlotOptions& options, std::ostream& out) {
    std::string style(options.style ? style_with(*options.style) : built_in_style());
    return {options.directory, options.formats, std::move(style), out};
}

/// All pictures of a run. What only some runs have is not missed by the others, unless it was asked for by name.
void plot_run(const RunResults& run, const std::string& prefix, const PlotOptions& options, PictureWriter& writer,
              std::ostream& notes) {
    for (const RunKind& kind : run_kinds()) {
        if (not options.wants(kind.stem)) {
            continue;
        }
        std::optional<Picture> picture = kind.draw(run);
        if (picture) {
            picture->title = heading(run, options) + ": " + picture->title + (kind.of_delays ? clock_note(run) : "");
            picture->stem = prefix + kind.stem;
            writer.write(*picture);
        } else if (not kind.needs.empty() or not options.only.empty()) {
            notes << "not drawn: " << prefix << kind.stem << " (nothing is known of it"
                  << (kind.needs.empty() ? "" : "; it needs ") << kind.needs << ")\n";
        }
    }
}

std::function<bool(const std::string&)> wanted_of(const PlotOptions& options) {
    return [&options](const std::string& kind) { return options.wants(kind); };
}

void plot_runs(std::vector<RunResults> runs, const PlotOptions& options, std::ostream& out, std::ostream& notes) {
    for (RunResults& run : runs) {
        select_flows(run, options.flows);
    }
    PictureWriter writer = writer_of(options, out);
    for (std::size_t i = 0; i < runs.size(); ++i) {
        read_over_time(runs[i], SqliteSeries(options.files.front(), runs[i]), wanted_of(options));
        plot_run(runs[i], runs.size() > 1 ? "run" + std::to_string(i + 1) + "-" : "", options, writer, notes);
        runs[i] = {};  // of many runs no more than one is in memory with what it has over time
    }
}

std::vector<RunResults> runs_of(const std::filesystem::path& file) {
    std::vector<RunResults> runs = read_results(file);
    if (runs.empty()) {
        throw RunError(file.string() + " holds no run");
    }
    return runs;
}

void plot_comparison(const PlotOptions& options, std::ostream& out, std::ostream& notes) {
    std::vector<ResultsFile> files;
    for (const auto& path : options.files) {
        files.push_back({path, runs_of(path)});
        for (RunResults& run : files.back().runs) {
            select_flows(run, options.flows);
        }
    }
    PictureWriter writer = writer_of(options, out);
    RunResults all = compared(files);
    read_over_time(all, ComparedSeries(files), wanted_of(options));
    plot_run(all, "", options, writer, notes);
}

/// Pictures of a file that has no flows, of the kinds that were asked for.
void write_pictures(const std::vector<Picture>& pictures, std::string (*kind_of)(const Picture&),
                    const PlotOptions& options, std::ostream& out) {
    if (pictures.empty()) {
        throw RunError(options.files.front().string() + " holds nothing that could be drawn");
    }
    if (not options.flows.empty()) {
        throw UsageError("--flows: " + options.files.front().string() + " has points and groups, and no flows");
    }
    PictureWriter writer = writer_of(options, out);
    for (const Picture& picture : pictures) {
        if (options.wants(kind_of(picture))) {
            writer.write(picture);
        }
    }
}

void plot_calibration(const PlotOptions& options, std::ostream& out) {
    CalibrationResults results = read_calibration_results(options.files.front());
    results.title = options.title.value_or(results.title);
    write_pictures(calibration_pictures(results), calibration_kind_of, options, out);
}

void plot_batch(const PlotOptions& options, std::ostream& out) {
    BatchResults results = read_batch_results(options.files.front());
    results.title = options.title.value_or(results.title);
    write_pictures(batch_pictures(results), batch_kind_of, options, out);
}

std::vector<FittedTraffic> traffic_to_draw(const PlotOptions& options) {
    std::vector<FittedTraffic> all = read_fit(options.files.front());
    if (not options.flows.empty()) {
        std::erase_if(all, [&](const FittedTraffic& traffic) {
            return std::ranges::find(options.flows, traffic.id) == options.flows.end();
        });
    }
    if (all.empty()) {
        throw RunError(options.files.front().string() + " holds no traffic that could be drawn");
    }
    return all;
}

void plot_fit(const PlotOptions& options, std::ostream& out, std::ostream& notes) {
    const std::vector<FittedTraffic> all = traffic_to_draw(options);
    PictureWriter writer = writer_of(options, out);
    const auto finish = [&](std::optional<Picture> picture, const std::string& stem) {
        if (not picture) {
            notes << "not drawn: " << stem << " (nothing is known of it)\n";
            return;
        }
        picture->stem = stem;
        picture->title = options.title ? *options.title + ": " + picture->title : picture->title;
        writer.write(*picture);
    };
    const std::span<const FittedTraffic> shown(all.data(), std::min(all.size(), kMostFitCurves));
    for (const FitKind& kind : fit_kinds()) {
        if (not options.wants(kind.stem)) {
            continue;
        }
        if (not kind.of_one) {
            std::optional<Picture> picture = kind.draw(shown);
            if (picture and shown.size() < all.size()) {
                picture->title += fmt::format(", {} of {} with most packets", shown.size(), all.size());
            }
            finish(std::move(picture), kind.stem);
            continue;
        }
        for (std::size_t i = 0; i < std::min(all.size(), kMostFitPictures); ++i) {
            finish(kind.draw(shown.subspan(i, 1)),
                   all.size() > 1 ? fmt::format("traffic{}-{}", all[i].id, kind.stem) : kind.stem);
        }
    }
}

void refuse_several(const PlotOptions& options) {
    for (const auto& file : options.files) {
        if (is_calibration(file) or is_fit(file) or is_batch(file)) {
            throw UsageError(file.string() +
                             ": only decoded runs are compared; draw a calibration, a fit or a batch by itself");
        }
    }
}

}  // namespace

void plot_results(const PlotOptions& options, std::ostream& out, std::ostream& notes) {
    if (options.files.size() > 1 or options.compare) {
        refuse_several(options);
        plot_comparison(options, out, notes);
    } else if (is_calibration(options.files.front())) {
        plot_calibration(options, out);
    } else if (is_batch(options.files.front())) {
        plot_batch(options, out);
    } else if (is_fit(options.files.front())) {
        plot_fit(options, out, notes);
    } else {
        plot_runs(runs_of(options.files.front()), options, out, notes);
    }
}

}  // namespace groma
