// All options of groma-send, including those of transports: the source of the command line, --help and the man page.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "common/model/transport/transport_options.hpp"
#include "sender/options/option_rows.hpp"

namespace groma {

[[nodiscard]] const CommandTable& sender_option_table();

/// The names of the options with or without one of these uses (option_use in sender/options/option_rows.hpp).
[[nodiscard]] std::vector<std::string_view> sender_options(std::uint8_t uses);
[[nodiscard]] std::vector<std::string_view> sender_options_without(std::uint8_t uses);

/// Reads the given options of one turn and of one use: with_daemon, of_daemon, of_calibration; 0: none of these.
void read_options(const CommandLine& line, UsageErrors& errors, SenderOptions& options, std::uint8_t uses,
                  ReadTurn turn = ReadTurn::usual);

/// An option from the table of transports.
struct TransportOption {
    std::string name;  ///< "--send-buffer"
    std::string help;
    const TransportOptionRow& row;
};
[[nodiscard]] const std::vector<TransportOption>& transport_options();

}  // namespace groma
