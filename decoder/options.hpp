// The command line of groma-dec.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/base/ids.hpp"
#include "common/model/requirement.hpp"
#include "common/time/instant.hpp"

namespace groma {

struct DecoderOptions {
    std::vector<std::string> logs;      ///< "-" is standard input
    std::optional<std::string> json;    ///< file, or "-" for standard output
    std::optional<std::string> csv;     ///< likewise
    std::optional<std::string> sqlite;  ///< file
    Nanos interval{1'000'000'000};
    std::set<FlowId> flows;             ///< empty: all
    std::vector<Requirement> required;  ///< of every flow
    bool force = false;                 ///< an SQLite file may be replaced
    bool quiet = false;
    bool help = false;
    bool version = false;

    /// The text report goes to standard output unless something else does.
    [[nodiscard]] bool prints_text() const { return not quiet and json != "-" and csv != "-"; }
};

/// `arguments` without the program's name. Throws: UsageError with all mistakes.
[[nodiscard]] DecoderOptions parse_decoder_options(std::span<const std::string> arguments);

[[nodiscard]] std::string decoder_help();

}  // namespace groma
