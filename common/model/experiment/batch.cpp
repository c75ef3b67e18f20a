#include "common/model/experiment/batch.hpp"

#include <algorithm>
#include <utility>

#include "common/model/distributions/stream.hpp"
#include "common/model/experiment/batch_axes.hpp"
#include "common/model/experiment/batch_errors.hpp"
#include "common/model/experiment/batch_names.hpp"
#include "common/model/text/text_errors.hpp"

namespace groma {

namespace {

using Point = std::vector<std::size_t>;
using Keys = std::vector<BatchKey>;

/// The bytes of a text as a number (FNV-1a, 64 bits).
std::uint64_t number_of(std::string_view text) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : text) {
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
    }
    return hash;
}

/// Not of the order of the keys, nor of other values in their lists: a grid that grows keeps the runs it had.
std::uint64_t seed_of(std::uint64_t batch_seed, const Keys& keys, const Point& point, std::uint32_t repetition) {
    std::uint64_t values = 0;
    for (std::size_t i = 0; i < keys.size(); ++i) {
        values += mix(number_of(keys[i].name + "=" + keys[i].values[point[i]].text));
    }
    constexpr unsigned kUnusedBits = 2;  // as in a file: up to 2^62
    return mix(mix(mix(batch_seed) ^ values) ^ repetition) >> kUnusedBits;
}

/// Every combination, the last key changing fastest.
std::vector<Point> all_points(const Keys& keys) {
    std::vector<Point> points = {Point{}};
    for (const BatchKey& key : keys) {
        std::vector<Point> longer;
        for (const Point& point : points) {
            for (std::size_t value = 0; value < key.values.size(); ++value) {
                longer.push_back(point);
                longer.back().push_back(value);
            }
        }
        points = std::move(longer);
    }
    return points;
}

/// The latest end of a flow, from the common start.
std::optional<Nanos> planned_end(const Experiment& experiment) {
    Nanos end{0};
    for (const FlowSpec& flow : experiment.flows) {
        if (not flow.stop.duration) {
            return std::nullopt;
        }
        end = std::max(end, flow.start_delay + *flow.stop.duration);
    }
    return end;
}

ExperimentText with_values(const ExperimentText& text, const Keys& keys, const Point& point) {
    ExperimentText changed = text;
    for (Section& flow : changed.flows) {
        for (std::size_t i = 0; i < keys.size(); ++i) {
            put_batch_value(keys[i].name, keys[i].values[point[i]], flow);
        }
    }
    return changed;
}

/// The axes, every combination as an experiment to look for errors, and the runs in their order.
class Planner {
public:
    Planner(const ExperimentText& text, const std::string& file, const NamedFiles& files)
        : text_(text), file_(file), files_(files) {}

    [[nodiscard]] BatchPlan plan(std::uint64_t seed_if_none) {
        BatchAxes axes = read_batch_axes(*text_.batch);
        if (not axes.errors.empty()) {
            axes.errors.insert(axes.errors.end(), text_.errors.begin(), text_.errors.end());
            refuse_text(file_, std::move(axes.errors));
        }
        plan_.keys = std::move(axes.keys);
        plan_.repetitions = axes.repetitions;
        points_ = all_points(plan_.keys);
        try_all(seed_if_none);
        make_runs(axes.repetitions_before);
        if (axes.shuffled) {
            shuffle();
        }
        number_runs();
        return std::move(plan_);
    }

private:
    void try_all(std::uint64_t seed_if_none) {
        BatchErrors errors(plan_.keys);
        std::size_t flows = 0;
        for (const Point& point : points_) {
            try {
                const Experiment experiment =
                    build_experiment(with_values(text_, plan_.keys, point), file_, files_, seed_if_none);
                flows += experiment.flows.size();
                plan_.name = experiment.name;
                plan_.seed = experiment.seed;
                planned_.push_back(planned_end(experiment));
            } catch (const ParseError& error) {
                errors.add(error.errors(), combination_text(plan_.keys, point));
                flows += text_.flows.size();
            }
            if (flows > kMaxBatchFlows) {
                refuse_text(file_, {{text_.batch->place.line, text_.batch->place.column,
                                     "[batch] makes more than " + std::to_string(kMaxBatchFlows) +
                                         " flows in all its combinations"}});
            }
        }
        if (not errors.empty()) {
            refuse_text(file_, errors.of(points_.size()));
        }
    }

    /// The keys before 'repetitions' change slowest, then the repetition, then the keys behind it.
    void make_runs(std::size_t outer_keys) {
        std::size_t inner = 1;
        for (std::size_t i = outer_keys; i < plan_.keys.size(); ++i) {
            inner *= plan_.keys[i].values.size();
        }
        for (std::size_t first = 0; first < points_.size(); first += inner) {
            for (std::uint32_t repetition = 1; repetition <= plan_.repetitions; ++repetition) {
                for (std::size_t i = first; i < first + inner; ++i) {
                    BatchRun& run = plan_.runs.emplace_back();
                    run.point = points_[i];
                    run.repetition = repetition;
                    run.seed = seed_of(plan_.seed, plan_.keys, points_[i], repetition);
                    run.planned = planned_[i];
                }
            }
        }
    }

    /// Fisher and Yates, by the batch's seed.
    void shuffle() {
        std::uint64_t state = mix(plan_.seed ^ number_of("order"));
        for (std::size_t left = plan_.runs.size(); left > 1; --left) {
            state = mix(state);
            std::swap(plan_.runs[left - 1], plan_.runs[state % left]);
        }
    }

    void number_runs() {
        for (std::size_t i = 0; i < plan_.runs.size(); ++i) {
            BatchRun& run = plan_.runs[i];
            run.number = static_cast<std::uint32_t>(i + 1);
            run.name = folder_name(run, plan_.runs.size(), varied_values(plan_.keys, run.point)) +
                       (plan_.repetitions > 1 ? "-r" + std::to_string(run.repetition) : "");
        }
    }

    const ExperimentText& text_;
    const std::string& file_;
    const NamedFiles& files_;
    std::vector<Point> points_;
    std::vector<std::optional<Nanos>> planned_;
    BatchPlan plan_;
};

}  // namespace

Batch::Batch(ExperimentText text, std::string file, NamedFiles files, std::uint64_t seed_if_none)
    : text_(std::move(text)),
      file_(std::move(file)),
      files_(std::move(files)),
      plan_(Planner(text_, file_, files_).plan(seed_if_none)) {}

std::vector<std::string> Batch::values(const BatchRun& run) const {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < plan_.keys.size(); ++i) {
        values.push_back(plan_.keys[i].values[run.point[i]].text);
    }
    return values;
}

Experiment Batch::experiment(const BatchRun& run) const {
    ExperimentText text = with_values(text_, plan_.keys, run.point);
    text.top.settings.insert_or_assign("seed", Setting{Setting::Kind::integer, std::to_string(run.seed), {}, {}});
    Experiment experiment = build_experiment(std::move(text), file_, files_, run.seed);
    experiment.name = run_title(plan_.name, run);
    return experiment;
}

std::optional<Batch> parse_batch(std::string_view text, const std::string& file, const NamedFiles& files,
                                 std::uint64_t seed_if_none) {
    ExperimentText sections = read_experiment_text(text, file);
    if (not sections.batch) {
        return std::nullopt;
    }
    return Batch(std::move(sections), file, files, seed_if_none);
}

}  // namespace groma
