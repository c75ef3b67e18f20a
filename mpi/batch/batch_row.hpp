// What is known of one run of a batch: a row of batch.sqlite (docs/guide/batch.md).
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
    waiting,      ///< has not begun
    running,      ///< has begun; after a crash, nobody knows how far it got
    complete,     ///< ran to its end, with all records that were asked for
    failed,       ///< could not begin, or did not do what it was asked for: `reason`
    interrupted,  ///< by the user or the death of the job: is done again
};

/// "waiting", "running", ...
[[nodiscard]] std::string_view to_string(RunState state);
/// Throws: UsageError for anything else.
[[nodiscard]] RunState parse_run_state(std::string_view text);

/// A figure that a batch keeps of each run, all flows together. Its meaning: docs/reference/report-figures.md or
/// figures.md, under the same name.
struct RunFigure {
    std::string_view name;
    FigureType type;
    bool is_decoded;  ///< groma-dec's; otherwise of the sender's report
};

[[nodiscard]] std::span<const RunFigure> batch_figures();

struct RunFigures {
    std::string verdict;                                     ///< "as_asked", "within", "not_as_asked"; empty: unknown
    std::map<std::string, FigureValue, std::less<>> values;  ///< of batch_figures(), those that are known

    [[nodiscard]] std::optional<double> number(std::string_view name) const;
    bool operator==(const RunFigures&) const = default;
};

/// What became of a run.
struct RunOutcome {
    RunState state = RunState::complete;  ///< complete, failed or interrupted
    std::string reason;                   ///< a sentence, unless complete
    std::string run_id;                   ///< 32 hex digits, as in the logs; empty: it did not begin
    RunFigures figures;
};

struct BatchRow {
    std::uint32_t number = 0;
    std::string folder;
    std::vector<std::string> values;  ///< of the batch's keys, in their order
    std::uint32_t repetition = 1;
    std::uint64_t seed = 0;
    std::uint32_t attempts = 0;  ///< so many times it has begun
    std::optional<std::int64_t> started_ns;
    std::optional<std::int64_t> ended_ns;
    RunOutcome outcome{RunState::waiting, {}, {}, {}};
};

}  // namespace groma
