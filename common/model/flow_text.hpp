// Flows as users write them: distributions, sizes, times and stop rules as text. The only place that knows unit
// suffixes. All functions throw UsageError with what was given, what is wrong and what would be right.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "common/base/units.hpp"
#include "common/model/flow_spec.hpp"
#include "common/model/named_files.hpp"

namespace groma {

/// "10s", "0.5ms", "2min", "1h", "250us", "30ns" (units ns us ms s min h). A bare number is refused: it has no unit.
[[nodiscard]] Nanos parse_duration(std::string_view text);

/// "1500", "64KiB", "10MB" (units B kB MB GB KiB MiB GiB; no unit means bytes).
[[nodiscard]] Bytes parse_bytes(std::string_view text);

using Rate = std::variant<PacketRate, BitRate>;

/// "1000pps", "2kpps", "10Mbps" (units pps kpps Mpps of packets, bps kbps Mbps Gbps of payload); above 0.
[[nodiscard]] Rate parse_rate(std::string_view text);

/// Inter-departure times: "const:1000pps", "exp:0.5ms", "unif:500pps:2000pps", "pareto:1.5:0.4ms", "normal:1ms:0.1ms",
/// "file:gaps.txt", ...; every family in docs/reference/models.md. A rate becomes the gap 1/rate. Result in
/// nanoseconds. A value alone ("1000pps", "1ms") is a constant. Files of values are among `files`.
[[nodiscard]] Distribution parse_idt(std::string_view text, const NamedFiles& files = {});

/// ON and OFF periods: as parse_idt, without rates.
[[nodiscard]] Distribution parse_period(std::string_view text, const NamedFiles& files = {});

/// Payload sizes in bytes: "const:512" or just "512", "unif:64:1472", "normal:500:100", ...
[[nodiscard]] Distribution parse_size(std::string_view text, const NamedFiles& files = {});

/// "HOST", "HOST:PORT", "[V6]:PORT", "V6". Without a port, the control port is `usual_port`.
[[nodiscard]] Target parse_target(std::string_view text, std::uint16_t usual_port = Target().control_port);

// Text that the parsers above read back to the same value.
[[nodiscard]] std::string idt_to_string(const Distribution& idt);
[[nodiscard]] std::string period_to_string(const Distribution& period);
[[nodiscard]] std::string size_to_string(const Distribution& size);
[[nodiscard]] std::string to_string(const Target& target);
/// "a, b": the pieces between commas without blanks around them; one piece when there is no comma.
[[nodiscard]] std::vector<std::string_view> split_list(std::string_view text);
/// "HOST[:PORT]" or several of them with commas between: all receivers of a flow, the first of which is its target.
/// Throws: UsageError.
void set_receivers(FlowSpec& spec, std::string_view text);
/// "full", "sequence" or "none". Throws: UsageError.
[[nodiscard]] HeaderLevel parse_header(std::string_view text);
[[nodiscard]] std::string_view to_string(HeaderLevel level);
/// "one-way" or "round-trip". Throws: UsageError.
[[nodiscard]] Meter parse_meter(std::string_view text);
[[nodiscard]] std::string_view to_string(Meter meter);
/// "catch-up", "skip" or "shift". Throws: UsageError.
[[nodiscard]] LatenessPolicy parse_lateness(std::string_view text);
[[nodiscard]] std::string_view to_string(LatenessPolicy policy);
/// The kinds of payload (FlowSpec::payload); a path is not looked at, but said as that of the file among `files`.
/// Returns: the text. Throws: UsageError.
[[nodiscard]] std::string parse_payload(std::string_view text, const NamedFiles& files = {});
[[nodiscard]] std::string duration_to_string(Nanos span);

/// Everything that is wrong with a flow, a sentence each: no stop rule, sizes that the transport cannot send, ...
[[nodiscard]] std::vector<std::string> validate(const FlowSpec& spec);

/// Bytes of the values of files and of discrete distributions that the flow carries: up to a MiB. Who takes flows from
/// the network bounds their sum.
[[nodiscard]] std::size_t value_bytes(const FlowSpec& spec);
/// For all flows of a session. As text they would be more than a log takes of its flows (kMaxJsonPayload).
inline constexpr std::size_t kMaxValueBytes = std::size_t{64} << 20U;

}  // namespace groma
