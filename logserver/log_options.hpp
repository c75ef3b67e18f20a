// The command line of groma-log.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "logserver/log_server_settings.hpp"

namespace groma {

enum class LogCommand : std::uint8_t { serve, list, show, export_logs, verify, prune, help, version };

/// The arguments of commands that read a directory.
struct StoredLogsRequest {
    std::filesystem::path directory;
    std::vector<std::string> experiments;
    std::filesystem::path output;     ///< of export
    std::optional<Nanos> older_than;  ///< of prune
    bool dry_run = false;             ///< of prune
    bool json = false;                ///< of list and show
};

struct LogOptions {
    LogCommand command = LogCommand::serve;
    LogServerSettings server;
    std::optional<std::string> audit;  ///< file; empty: none
    std::optional<std::filesystem::path> port_file;
    StoredLogsRequest request;
};

/// `arguments`: without the program's name. Throws: UsageError with all errors.
[[nodiscard]] LogOptions parse_log_options(std::span<const std::string> arguments);

}  // namespace groma
