// The JSON of clock probes, events and totals, and the text of a JSON block (docs/reference/log-format.md). What is
// read is hostile; what is written can always be read.
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "common/log/run_metadata.hpp"

namespace groma {

[[nodiscard]] nlohmann::json to_json(const ClockProbe& probe);
[[nodiscard]] nlohmann::json to_json(const LogEvent& event);
[[nodiscard]] nlohmann::json to_json(const LogTotals& totals);

/// All three throw: UsageError naming the field.
[[nodiscard]] ClockProbe clock_probe_from_json(const nlohmann::json& object);
[[nodiscard]] LogEvent log_event_from_json(const nlohmann::json& object);
[[nodiscard]] LogTotals log_totals_from_json(const nlohmann::json& object);

/// Appends the text of `object`; bytes that are not UTF-8 become U+FFFD.
void append_json(const nlohmann::json& object, std::vector<std::byte>& out);

/// The same of an object whose `flows` is an empty array, in which the flows are put one after the other: all of them
/// at one time would take twenty times the memory of their text.
void append_json_of_flows(const nlohmann::json& object, std::size_t flows,
                          const std::function<nlohmann::json(std::size_t)>& flow, std::vector<std::byte>& out);
void append_json(const LogTotals& totals, std::vector<std::byte>& out);

/// Throws: UsageError when the bytes are not JSON, are nested deeper or hold more values than any block of a log.
[[nodiscard]] nlohmann::json parse_log_json(std::span<const std::byte> text);

}  // namespace groma
