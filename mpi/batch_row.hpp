// What is known of one run of a batch: a row of batch.sqlite (docs/guide/batch.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

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

/// The figures of a run, all flows together; nothing where a figure is not known.
struct RunFigures {
    std::string verdict;  ///< "as_asked", "within", "not_as_asked"; empty: unknown
    std::optional<double> scheduled_pps;
    std::optional<double> sent_pps;
    std::optional<double> rate_error;
    std::optional<double> lateness_p99_ns;
    std::optional<std::uint64_t> sent_packets;
    std::optional<std::uint64_t> sent_bytes;
    std::optional<std::uint64_t> received_packets;
    std::optional<std::uint64_t> received_bytes;
    std::optional<std::uint64_t> lost;
    std::optional<std::uint64_t> duplicates;
    std::optional<std::uint64_t> reordered;
    std::optional<double> throughput_bps;
    std::optional<double> delay_mean_ns;
    std::optional<double> delay_p50_ns;
    std::optional<double> delay_p99_ns;
    std::optional<double> delay_max_ns;
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
