// The command line of `groma-dec fit`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/cli/command_line.hpp"
#include "common/cli/detached_value.hpp"

namespace groma {

struct FitOptions {
    std::vector<std::string> files;      ///< captures or logs; "-" is a capture on standard input
    std::optional<std::string> json;     ///< file, or "-" for standard output
    std::optional<std::string> sqlite;   ///< file
    std::optional<std::string> profile;  ///< file, or "-"
    std::string filter;                  ///< of captures, as for tcpdump
    std::set<std::uint32_t> flows;       ///< by number; empty: all
    std::uint64_t fewest = 100;          ///< packets of a flow that is fitted
    std::size_t top = 100;               ///< flows with the most packets
    std::size_t lags = 100;
    double constant_within = 0.01;
    std::string to = "127.0.0.1";  ///< the receiver of the profile's flows
    bool bare = false;             ///< packets without payload count as well
    bool empirical = false;        ///< the profile has the observed distributions
    bool force = false;            ///< files may be replaced
    bool quiet = false;
    std::vector<DetachedValue> perhaps_values{};  ///< among the files
    bool help = false;
    bool version = false;

    [[nodiscard]] bool prints_text() const { return not quiet and json != "-" and profile != "-"; }
};

/// `arguments` after "fit". Throws: UsageError with every error.
[[nodiscard]] FitOptions parse_fit_options(std::span<const std::string> arguments);

[[nodiscard]] const CommandTable& fit_option_table();

}  // namespace groma
