// The command line of groma-dec batch.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/cli/command_line.hpp"
#include "common/cli/detached_value.hpp"
#include "decoder/repetitions/repetitions.hpp"

namespace groma {

struct BatchCommand {
    std::vector<std::string> inputs;  ///< the folder or table of a batch, or results
    RepetitionOptions statistics;
    std::optional<std::string> json;    ///< file, or "-" for standard output
    std::optional<std::string> csv;     ///< likewise
    std::optional<std::string> sqlite;  ///< file
    bool force = false;
    bool quiet = false;
    std::vector<DetachedValue> perhaps_values{};  ///< among the inputs
    bool help = false;
    bool version = false;

    [[nodiscard]] bool prints_text() const { return not quiet and json != "-" and csv != "-"; }
};

/// `arguments` after the word "batch". Throws: UsageError with all errors.
[[nodiscard]] BatchCommand parse_batch_command(std::span<const std::string> arguments);

[[nodiscard]] const CommandTable& batch_option_table();

}  // namespace groma
