// The command line of groma-key.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/access/web_token.hpp"
#include "common/time/instant.hpp"

namespace groma {

enum class KeyCommand : std::uint8_t { new_key, host, token, show, help, version };

struct KeyOptions {
    KeyCommand command = KeyCommand::help;
    std::string name{};                          ///< of new and token
    std::vector<std::filesystem::path> files{};  ///< of host and show
    std::vector<std::string> hosts{};            ///< of host: labels (host_label()), each once
    std::optional<Roles> roles{};                ///< of new and host, as are the next
    std::optional<Day> last_day{};
    std::optional<Prefixes> experiments{};
    std::optional<Limits> limits{};
    std::filesystem::path folder{};  ///< of token, as is the next
    WebScopes scopes{};
};

/// `arguments`: without the program's name; `now` counts for --expires. Throws: UsageError with all errors.
[[nodiscard]] KeyOptions parse_key_options(std::span<const std::string> arguments, WallTime now);

}  // namespace groma
