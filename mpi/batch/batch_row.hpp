// One run of a batch: a row of batch.sqlite (docs/guide/batch.md).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "common/figures/figure.hpp"

namespace groma {

enum class RunState : std::uint8_t {
    waiting,      ///< not started
    running,      ///< started; after a crash its progress is unknown
    complete,     ///< completed, with all requested records
    failed,       ///< could not start, or did not do as requested: see `reason`
    interrupted,  ///< by the user or a crash of the job: will be repeated
};

/// "waiting", "running", ...
[[nodiscard]] std::string_view to_string(RunState state);
/// Throws: UsageError for anything else.
[[nodiscard]] RunState parse_run_state(std::string_view text);

/// A figure that a batch keeps per run, over all flows. docs/reference/report-figures.md or figures.md defines it under
/// the same name.
struct RunFigure {
    std::string_view name;
    FigureType type;
    bool is_decoded;  ///< true: from groma-dec; false: from the sender's report
};

[[nodiscard]] std::span<const RunFigure> batch_figures();

struct RunFigures {
    std::string verdict;                                     ///< "as_asked", "within", "not_as_asked"; empty: unknown
    std::map<std::string, FigureValue, std::less<>> values;  ///< the known ones of batch_figures()

    [[nodiscard]] std::optional<double> number(std::string_view name) const;
    bool operator==(const RunFigures&) const = default;
};

/// The outcome of a run.
struct RunOutcome {
    RunState state = RunState::complete;  ///< complete, failed or interrupted
    std::string reason;                   ///< a sentence, unless complete
    std::string run_id;                   ///< 32 hex digits, as in the logs; empty: not started
    RunFigures figures;
};

struct BatchRow {
    std::uint32_t number = 0;
    std::string folder;
    std::vector<std::string> values;  ///< values of the batch's keys, in order
    std::uint32_t repetition = 1;
    std::uint64_t seed = 0;
    std::uint32_t attempts = 0;  ///< number of starts
    std::optional<std::int64_t> started_ns;
    std::optional<std::int64_t> ended_ns;
    RunOutcome outcome{RunState::waiting, {}, {}, {}};
};

}  // namespace groma
