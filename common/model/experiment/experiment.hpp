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

/// A named host of an experiment.
struct ExperimentHost {
    std::string alias;
    Target target;
    std::optional<std::uint16_t> agent{};  ///< port of the daemon there that sends its flows; nothing: there is none
    bool operator==(const ExperimentHost&) const = default;
};

/// The name of the log server in [ranks]; no host may have it.
inline constexpr std::string_view kLogServerRole = "log-server";

struct Experiment {
    std::string name;
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> seed_given;          ///< by the file or command line; otherwise `seed` was drawn
    std::vector<FlowSpec> flows;                      ///< ids 1, 2, 3, ... in this order; seeds set
    std::vector<ExperimentHost> hosts{};              ///< in the order of the file
    std::map<std::string, int, std::less<>> ranks{};  ///< of hosts, and of kLogServerRole, in an MPI job (groma-mpi)
    std::vector<Requirement> required{};              ///< of every flow
    std::string key_file{};                           ///< as the file names it; empty: it names none
    bool operator==(const Experiment&) const = default;
};

/// Parses the text of an experiment file without a [batch] (common/model/experiment/batch.hpp reads those). `file` is
/// its name, for messages; `files` are the files that it names (common/cli/experiment_file.hpp reads all of them).
/// `seed`: takes the place of the file's.
/// Throws: ParseError with every error of the file (line and column); SystemError if one of `files` cannot be read.
[[nodiscard]] Experiment parse_experiment(std::string_view text, const std::string& file, const NamedFiles& files,
                                          std::uint64_t seed_if_none, std::optional<std::uint64_t> seed = {});

struct ExperimentText;

/// The same from sections; ignores a [batch].
[[nodiscard]] Experiment build_experiment(ExperimentText text, const std::string& file, const NamedFiles& files,
                                          std::uint64_t seed_if_none, std::optional<std::uint64_t> seed = {});

}  // namespace groma
