// The command line of groma-dec.
#pragma once

#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "common/base/ids.hpp"
#include "common/cli/command_line.hpp"
#include "common/cli/detached_value.hpp"
#include "common/model/experiment/requirement.hpp"
#include "common/time/instant.hpp"
#include "decoder/results/group_key.hpp"
#include "decoder/results/selection.hpp"

namespace groma {

struct DecoderOptions {
    std::vector<std::string> logs;      ///< "-" is standard input
    std::optional<std::string> json;    ///< file, or "-" for standard output
    std::optional<std::string> csv;     ///< likewise
    std::optional<std::string> jsonl;   ///< likewise
    std::optional<std::string> octave;  ///< likewise
    std::optional<std::string> hdr;     ///< likewise
    std::optional<std::string> sqlite;  ///< file
    Nanos interval{1'000'000'000};
    std::set<FlowId> flows;                ///< empty: all
    std::optional<double> bottleneck_bps;  ///< of connections' paths, payload; empty: unknown
    std::vector<Requirement> required;     ///< of every flow
    std::vector<GroupKey> group_by;        ///< empty: no groups
    Cut cut;                               ///< which packets count
    bool thorough = false;                 ///< figures that take time and memory for each packet, too
    unsigned threads = 0;                  ///< that read a log; 0: as many as there are cores
    bool follow = false;                   ///< the logs are being written
    std::optional<Nanos> patience;         ///< with `follow`: for a log that does not grow
    bool force = false;                    ///< an SQLite file may be replaced
    bool quiet = false;
    bool verbose = false;                         ///< text with every table
    std::vector<DetachedValue> perhaps_values{};  ///< among the logs
    bool help = false;
    bool version = false;

    /// The requested results except SQLite, with the names of their options.
    struct Target {
        const char* option;
        std::string file;  ///< or "-" for standard output
    };
    [[nodiscard]] std::vector<Target> targets() const;

    /// The text report goes to standard output unless another result does.
    [[nodiscard]] bool prints_text() const;
};

/// `arguments` without the program's name. Throws: UsageError with all errors.
[[nodiscard]] DecoderOptions parse_decoder_options(std::span<const std::string> arguments);

[[nodiscard]] const CommandTable& decoder_option_table();

}  // namespace groma
