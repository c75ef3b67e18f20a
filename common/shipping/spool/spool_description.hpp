// Contents and destination of a spool: the file log.json in its folder (docs/reference/spool.md).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "common/shipping/protocol/log_frames.hpp"
#include "common/shipping/protocol/log_transport.hpp"
#include "common/time/instant.hpp"

namespace groma {

struct SpoolDescription {
    std::string server;  ///< "HOST:PORT"
    LogTransport transport = LogTransport::tcp;
    std::string experiment;
    std::string name;
    LogToken token{};
    std::string program;  ///< "groma-send 0.1.0"
    WallTime started{};
    std::string asker{};  ///< name of the key that the log was asked for under; empty: none
    bool operator==(const SpoolDescription&) const = default;
};

[[nodiscard]] std::string to_json(const SpoolDescription& description);

/// Throws: RunError with what is wrong.
[[nodiscard]] SpoolDescription parse_spool_description(const std::string& text);

/// Survives the loss of power. Throws: SystemError.
void write_spool_description(const std::filesystem::path& folder, const SpoolDescription& description);
/// Throws: SystemError, RunError with what is wrong.
[[nodiscard]] SpoolDescription read_spool_description(const std::filesystem::path& folder);

}  // namespace groma
