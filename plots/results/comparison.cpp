#include "plots/results/comparison.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/model/text/human.hpp"
#include "plots/results/distributions.hpp"
#include "plots/results/pattern_totals.hpp"

namespace groma {

namespace {

constexpr std::size_t kMaxName = 36;

std::map<std::string, std::vector<HistogramBin>> total_histograms(const RunResults& run) {
    std::map<std::string, std::vector<const std::vector<HistogramBin>*>> parts;
    for (const FlowResults& flow : run.flows) {
        for (const auto& [kind, bins] : flow.histograms) {
            if (not bins.empty()) {
                parts[kind].push_back(&bins);
            }
        }
    }
    std::map<std::string, std::vector<HistogramBin>> histograms;
    for (const auto& [kind, some] : parts) {
        histograms[kind] = merged(some);
    }
    return histograms;
}

using Names = std::vector<std::string>;

bool all_differ(const Names& names) {
    return std::set(names.begin(), names.end()).size() == names.size() and
           std::ranges::none_of(names, [](const std::string& name) { return name.empty(); });
}

/// A name for each run, by `name_of`.
Names named_by(const std::vector<ResultsFile>& files,
               const std::function<std::string(const ResultsFile&, std::size_t run)>& name_of) {
    Names names;
    for (const ResultsFile& file : files) {
        for (std::size_t run = 0; run < file.runs.size(); ++run) {
            names.push_back(plain_text(name_of(file, run), kMaxName));
        }
    }
    return names;
}

std::string folder_of(const ResultsFile& file) {
    return std::filesystem::weakly_canonical(file.path).parent_path().filename().string();
}

std::string numbered(const ResultsFile& file, std::size_t run) {
    const std::string name = file.path.stem().string();
    return file.runs.size() > 1 ? fmt::format("{} run {}", name, run + 1) : name;
}

}  // namespace

std::vector<std::string> run_names(const std::vector<ResultsFile>& files) {
    for (const auto& way : {
             named_by(files, [](const ResultsFile&file, std::size_t run) { return file.runs[run].experiment; }),
             named_by(files, numbered),
             named_by(files, [](const ResultsFile&file, std::size_t) { return folder_of(file); }),
             named_by(files,
                      [](const ResultsFile&file, std::size_t run) {
                          return fmt::format("{}/{}", folder_of(file), numbered(file, run));
                      }),
         }) {
        if (all_differ(way)) {
            return way;
        }
    }
    Names names = named_by(files, numbered);
    for (std::size_t i = 0; i < names.size(); ++i) {
        names[i] = fmt::format("{}: {}", i + 1, names[i]);
    }
    return names;
}

FlowResults total_of(const RunResults& run) {
    std::vector<const FlowResults*> flows;
    flows.reserve(run.flows.size());
    for (const FlowResults& flow : run.flows) {
        flows.push_back(&flow);
    }
    FlowResults total = patterns_together(flows);
    total.histograms = total_histograms(run);
    total.asked_gaps = asked_mixture(flows);
    total.lambda2 = run.lambda2;
    total.on_off = std::ranges::any_of(run.flows, &FlowResults::on_off);
    return total;
}

RunResults compared(const std::vector<ResultsFile>& files) {
    const Names names = run_names(files);
    RunResults all;
    all.one = CurveOf::run;
    all.clock = "one clock";
    std::size_t number = 0;
    for (const ResultsFile& file : files) {
        for (const RunResults& run : file.runs) {
            if (number > 0 and run.interval_s != all.interval_s) {
                throw UsageError(fmt::format(
                    "cannot compare: {} has intervals of {} s, and {} of {} s; decode both with one --interval",
                    names[0], significant(all.interval_s), names[number], significant(run.interval_s)));
            }
            all.interval_s = run.interval_s;
            FlowResults total = total_of(run);
            total.name = names[number];
            total.flow = static_cast<std::int64_t>(++number);
            all.flows.push_back(std::move(total));
            all.clock = run.has_relative_delays() ? run.clock : all.clock;
            all.clock_bound_ns = std::max(all.clock_bound_ns.value_or(0), run.clock_bound_ns.value_or(0));
        }
    }
    return all;
}

}  // namespace groma
