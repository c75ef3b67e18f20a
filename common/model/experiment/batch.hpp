// A batch: many runs of one experiment, one for every combination of the values in [batch] (docs/guide/batch.md).
// Expanding it is pure: the same file and seed make the same runs on every rank.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/experiment/batch_axes.hpp"
#include "common/model/experiment/experiment.hpp"
#include "common/model/text/experiment_text.hpp"
#include "common/model/text/named_files.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// For all combinations together, so that reading a hostile file ends.
inline constexpr std::size_t kMaxBatchFlows = 1'000'000;

struct BatchRun {
    std::uint32_t number = 0;        ///< 1, 2, 3, ... in running order
    std::vector<std::size_t> point;  ///< which value of each key, in the order of the keys
    std::uint32_t repetition = 1;
    std::uint64_t seed = 0;        ///< derived from the batch's seed, the values and the repetition only
    std::string name;              ///< "007-rate1000pps-size64-udp-r1": valid as a folder's name
    std::optional<Nanos> planned;  ///< until the last flow ends; empty if a flow has no duration
    bool operator==(const BatchRun&) const = default;
};

/// All runs and what they have in common.
struct BatchPlan {
    std::string name;
    std::uint64_t seed = 0;
    std::vector<BatchKey> keys;  ///< what varies, in the order of the file; without repetitions
    std::uint32_t repetitions = 1;
    std::vector<BatchRun> runs;
};

class Batch {
public:
    /// Reads the experiment file with its [batch]. `files`: the files that it names; `file`: for messages. Throws:
    /// ParseError with every error of every combination, each once.
    Batch(ExperimentText text, std::string file, NamedFiles files, std::uint64_t seed_if_none);

    [[nodiscard]] const BatchPlan& plan() const { return plan_; }
    [[nodiscard]] const std::vector<BatchRun>& runs() const { return plan_.runs; }

    /// The value of each key in this run, as written.
    [[nodiscard]] std::vector<std::string> values(const BatchRun& run) const;
    /// The experiment of this run, with a name and a seed of its own.
    [[nodiscard]] Experiment experiment(const BatchRun& run) const;

private:
    ExperimentText text_;
    std::string file_;
    NamedFiles files_;
    BatchPlan plan_;
};

/// Returns: the batch of an experiment file; empty if it has no [batch]. Throws: ParseError.
[[nodiscard]] std::optional<Batch> parse_batch(std::string_view text, const std::string& file, const NamedFiles& files,
                                               std::uint64_t seed_if_none);

}  // namespace groma
