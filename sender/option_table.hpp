// The options of groma-send, one row each: what --help prints and what the command line is read by.
#pragma once

#include <string>
#include <vector>

#include "common/cli/command_line.hpp"
#include "common/model/transport_options.hpp"

namespace groma {

[[nodiscard]] const CommandTable& sender_option_table();

/// An option that is a row of the table of transports.
struct TransportOption {
    std::string name;  ///< "--send-buffer"
    std::string help;
    const TransportOptionRow& row;
};
[[nodiscard]] const std::vector<TransportOption>& transport_options();

}  // namespace groma
