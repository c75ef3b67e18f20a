// The options of groma-send with those of transports: the command line, --help and the man page are made of them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/cli/command_line.hpp"
#include "common/model/transport/transport_options.hpp"

namespace groma {

[[nodiscard]] const CommandTable& sender_option_table();

/// The names of options with one of these uses, or without any of them (option_use in sender/options/option_rows.hpp).
[[nodiscard]] std::vector<std::string_view> sender_options(std::uint8_t uses);
[[nodiscard]] std::vector<std::string_view> sender_options_without(std::uint8_t uses);

/// An option that is a row of the table of transports.
struct TransportOption {
    std::string name;  ///< "--send-buffer"
    std::string help;
    const TransportOptionRow& row;
};
[[nodiscard]] const std::vector<TransportOption>& transport_options();

}  // namespace groma
