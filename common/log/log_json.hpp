// The JSON of a log's metadata, probes, events and totals (docs/reference/log-format.md). What is read is untrusted;
// what is written can always be read.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "common/json/describe.hpp"
#include "common/log/run_metadata.hpp"

namespace groma {

/// No text in a log is longer; a longer one is cut when it is written.
inline constexpr std::size_t kMaxLogText = 4096;
inline constexpr std::size_t kMaxLogFlows = 100'000;

template <typename Fields>
void describe(Fields& fields, As<Fields, RunMetadata>& metadata);
template <typename Fields>
void describe(Fields& fields, As<Fields, ClockProbe>& probe);
template <typename Fields>
void describe(Fields& fields, As<Fields, LogEvent>& event);
template <typename Fields>
void describe(Fields& fields, As<Fields, LogTotals>& totals);

/// Appends the text. Flows are written one by one: all of them as JSON values take twenty times the memory of the text.
void append_json(const RunMetadata& metadata, std::vector<std::byte>& out);
void append_json(const ClockProbe& probe, std::vector<std::byte>& out);
void append_json(const LogEvent& event, std::vector<std::byte>& out);
void append_json(const LogTotals& totals, std::vector<std::byte>& out);

/// Throws: UsageError when the bytes are not JSON, are nested deeper or hold more values than any block of a log.
[[nodiscard]] nlohmann::json parse_log_json(std::span<const std::byte> text);

}  // namespace groma
