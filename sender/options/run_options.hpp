// Options of a run that groma-send and groma-mpi share.
#pragma once

#include <string>
#include <string_view>

#include "common/cli/command_line.hpp"
#include "common/cli/option_value.hpp"
#include "common/cli/usage_errors.hpp"
#include "common/time/instant.hpp"

namespace groma {

// Help texts.
inline constexpr std::string_view kRealtimeMore =
    "On keeps idle cores awake as well, and the report says what could not be had. Root may have real time, who has "
    "CAP_SYS_NICE and CAP_IPC_LOCK, or limits for it (ulimit -r, -l).";
inline constexpr std::string_view kWaitHelp =
    "wait at the end for packets that are still on their way, at most 60s (default: 2s)";
inline constexpr std::string_view kLogBlockHelp =
    "write and ship N records of a flow at a time, 1 to 4096 (default: 4096, at least once a second)";
inline constexpr std::string_view kJsonHelp =
    "the report as JSON, in FILE beside the text, or instead of the text on standard output";

/// --wait: time to wait at the end for packets in flight, 0s to 60s. Throws: UsageError.
[[nodiscard]] Nanos parse_wait(std::string_view text);

/// --interval: time between rows, 100ms to 1h. Throws: UsageError.
[[nodiscard]] Nanos parse_interval(std::string_view text);

/// --web-hold: 1s to 24h. Throws: UsageError.
[[nodiscard]] Nanos parse_web_hold(std::string_view text);

/// --json.
template <typename Options>
void read_json(Options& options, const OptionValue& value) {
    options.json = true;
    options.json_file = value.text;
}

/// --name of an experiment; logs and folders take this name. Throws: UsageError.
[[nodiscard]] std::string parse_name(std::string_view text);

/// Call before the first word is read as an experiment file. Throws: UsageError with all errors, if the word is not a
/// file and may be the value of the preceding option.
void refuse_value_in_place_of_file(const CommandLine& line, UsageErrors& errors);

}  // namespace groma
