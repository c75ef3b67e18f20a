// The command line of groma-log.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>

#include "logserver/log_server.hpp"

namespace groma {

enum class LogCommand : std::uint8_t { serve, list, help, version };

struct LogOptions {
    LogCommand command = LogCommand::serve;
    LogServerSettings server;
    std::optional<std::filesystem::path> port_file;
    std::filesystem::path listed;  ///< the directory of `groma-log list`
};

/// `arguments` without the program's name. Throws: UsageError with all mistakes.
[[nodiscard]] LogOptions parse_log_options(std::span<const std::string> arguments);

/// The text of --help.
[[nodiscard]] std::string log_help();

}  // namespace groma
