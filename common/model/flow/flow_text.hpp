// Text of a flow's receivers, header, meter and payload; quantity_text.hpp and distribution_text.hpp have the rest. All
// parsers throw UsageError with what was given, what is wrong and what is right.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "common/base/units.hpp"
#include "common/model/flow/flow_spec.hpp"
#include "common/model/text/named_files.hpp"

namespace groma {

/// "HOST", "HOST:PORT", "[V6]:PORT", "V6". Without a port, the control port is `usual_port`.
[[nodiscard]] Target parse_target(std::string_view text, std::uint16_t usual_port = Target().control_port);

/// Text that parse_target() reads back to the same value.
[[nodiscard]] std::string to_string(const Target& target);

/// Hosts by their names in an experiment file.
using HostAliases = std::map<std::string, Target, std::less<>>;

/// "HOST[:PORT]", or several separated by commas: all receivers of a flow. The first is its target; the others receive
/// the same packets (multicast). HOST may be an alias. Throws: UsageError.
void set_receivers(FlowSpec& spec, std::string_view text, const HostAliases& hosts = {});

/// "full", "sequence" or "none". Throws: UsageError.
[[nodiscard]] HeaderLevel parse_header(std::string_view text);
[[nodiscard]] std::string_view to_string(HeaderLevel level);
/// "auto", "on" or "off". Throws: UsageError.
[[nodiscard]] Sealing parse_sealing(std::string_view text);
[[nodiscard]] std::string_view to_string(Sealing seal);
/// "one-way" or "round-trip". Throws: UsageError.
[[nodiscard]] Meter parse_meter(std::string_view text);
[[nodiscard]] std::string_view to_string(Meter meter);
/// "forward", "reverse" or "both". Throws: UsageError.
[[nodiscard]] Direction parse_direction(std::string_view text);
[[nodiscard]] std::string_view to_string(Direction direction);
/// "catch-up", "skip" or "shift". Throws: UsageError.
[[nodiscard]] LatenessPolicy parse_lateness(std::string_view text);
[[nodiscard]] std::string_view to_string(LatenessPolicy policy);
/// "1" or "2" (docs/reference/models.md). Throws: UsageError.
[[nodiscard]] Generator parse_generator(std::string_view text);
[[nodiscard]] std::string_view to_string(Generator generator);
/// The kinds of payload (FlowSpec::payload). Does not open a path; makes it relative to the folder of `files`. Returns:
/// the text. Throws: UsageError.
[[nodiscard]] std::string parse_payload(std::string_view text, const NamedFiles& files = {});

/// "exp:1ms", "exp:1ms, ON exp:1s, OFF exp:2s", "const:1ms at the highest rate of ramp:0pps:1kpps:10s",
/// "4 in flight, think exp:10ms".
[[nodiscard]] std::string gaps_to_string(const FlowSpec& spec);
/// "const:100", "const:100, response exp:1000".
[[nodiscard]] std::string sizes_to_string(const FlowSpec& spec);

/// All errors of a flow, a sentence each: no stop rule, sizes that the transport cannot send, ...
[[nodiscard]] std::vector<std::string> validate(const FlowSpec& spec);

/// Bytes of the flow's values from files and of discrete distributions: up to a MiB. Whoever takes flows from the
/// network limits the sum.
[[nodiscard]] std::size_t value_bytes(const FlowSpec& spec);
/// For all flows of a session. Written as text, more would exceed the limit of a log's flows (kMaxJsonPayload).
inline constexpr std::size_t kMaxValueBytes = std::size_t{64} << 20U;

}  // namespace groma
