// An experiment: flows between hosts, as written in a TOML file (docs/reference/experiment-file.md) or on a command
// line.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/experiment/requirement.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/model/text/named_files.hpp"

namespace groma {

/// A host that has a name in an experiment.
struct ExperimentHost {
    std::string alias;
    Target target;
    bool operator==(const ExperimentHost&) const = default;
};

/// The name of the log server in [ranks]; no host is called so.
inline constexpr std::string_view kLogServerRole = "log-server";

struct Experiment {
    std::string name;
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> seed_given;  ///< what the file or command line said; otherwise `seed` was drawn
    std::vector<FlowSpec> flows;              ///< ids 1, 2, 3, ... in this order; seeds set
    std::vector<ExperimentHost> hosts{};      ///< in the order of the file
    std::map<std::string, int, std::less<>> ranks{};  ///< of hosts, and of kLogServerRole, in an MPI job (groma-mpi)
    std::vector<Requirement> required{};              ///< of every flow
    bool operator==(const Experiment&) const = default;
};

/// The experiment of a file's text, which must not have a [batch] (common/model/experiment/batch.hpp reads those);
/// `file` is its name, for messages, and `files` are those that it names (common/cli/experiment_file.hpp reads all of
/// them). Throws: ParseError with every error of the file (line and column); SystemError when one of `files` cannot
/// be read.
[[nodiscard]] Experiment parse_experiment(std::string_view text, const std::string& file, const NamedFiles& files,
                                          std::uint64_t seed_if_none);

struct ExperimentText;

/// The same from sections; of a [batch] nothing is seen.
[[nodiscard]] Experiment build_experiment(ExperimentText text, const std::string& file, const NamedFiles& files,
                                          std::uint64_t seed_if_none);

}  // namespace groma
