// An experiment: flows between hosts, as written in a TOML file (docs/experiment-file.md) or on a command line.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/flow_spec.hpp"

namespace groma {

struct Experiment {
    std::string name;
    std::uint64_t seed = 1;
    std::optional<std::uint64_t> seed_given;  ///< what the file or command line said; otherwise `seed` was drawn
    std::vector<FlowSpec> flows;              ///< ids 1, 2, 3, ... in this order; seeds set
    bool operator==(const Experiment&) const = default;
};

/// Reads an experiment file. Files of values that distributions name are read relative to its folder.
/// Throws: ParseError with every mistake of the file (line and column); SystemError when it cannot be read.
[[nodiscard]] Experiment load_experiment(const std::filesystem::path& file, std::uint64_t seed_if_none);

/// The same from a text; `file` is used in messages and `folder` to find files of values.
[[nodiscard]] Experiment parse_experiment(std::string_view text, const std::string& file,
                                          const std::filesystem::path& folder, std::uint64_t seed_if_none);

}  // namespace groma
