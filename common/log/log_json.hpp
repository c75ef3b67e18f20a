// The JSON of a log's metadata, probes, events and totals (docs/reference/log-format.md). Input is untrusted;
// everything written can be read back.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <vector>

#include "common/json/describe.hpp"
#include "common/log/run_metadata.hpp"

namespace groma {

/// Longest text in a log; longer ones are cut when written.
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

/// Appends the text. Writes flows one by one: all flows as JSON values take twenty times the memory of the text.
void append_json(const RunMetadata& metadata, std::vector<std::byte>& out);
void append_json(const ClockProbe& probe, std::vector<std::byte>& out);
void append_json(const LogEvent& event, std::vector<std::byte>& out);
void append_json(const LogTotals& totals, std::vector<std::byte>& out);

/// Throws: UsageError if the bytes are not JSON, or have deeper nesting or more values than any block of a log.
[[nodiscard]] nlohmann::json parse_log_json(std::span<const std::byte> text);

}  // namespace groma
