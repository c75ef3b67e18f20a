// The command line of `groma-dec pcapng`.
#pragma once

#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/base/ids.hpp"
#include "common/cli/command_line.hpp"

namespace groma {

struct PcapngOptions {
    std::vector<std::string> logs;
    std::string output;      ///< a file, or "-" for standard output
    std::set<FlowId> flows;  ///< empty: all
    bool quiet = false;
    bool help = false;
    bool version = false;
};

/// `arguments` after the command's name. Throws: UsageError with all errors.
[[nodiscard]] PcapngOptions parse_pcapng_options(std::span<const std::string> arguments);

[[nodiscard]] const CommandTable& pcapng_option_table();

}  // namespace groma
