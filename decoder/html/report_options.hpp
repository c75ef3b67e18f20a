// The command line of groma-dec report.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "common/cli/command_line.hpp"
#include "decoder/command/decoder_options.hpp"

namespace groma {

struct ReportCommand {
    DecoderOptions decoding;  ///< logs, interval, flows, requirements
    std::string output = "report.html";
    bool force = false;
    bool pictures = true;
    std::string title;                      ///< empty: the experiment's name
    std::optional<std::string> experiment;  ///< the experiment's file
    bool help = false;
    bool version = false;
};

/// `arguments` after the word "report". Throws: UsageError with all errors.
[[nodiscard]] ReportCommand parse_report_command(std::span<const std::string> arguments);

[[nodiscard]] const CommandTable& report_option_table();

}  // namespace groma
