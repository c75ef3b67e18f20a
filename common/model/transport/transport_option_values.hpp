// Values of transport options as text, both ways (docs/reference/transports.md). All parsers throw UsageError.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "common/base/units.hpp"
#include "common/model/transport/transport_options.hpp"
#include "common/time/instant.hpp"

namespace groma::option_value {

/// A whole number of these bounds, also hexadecimal: "0xb8".
[[nodiscard]] std::uint32_t number(std::string_view text, std::uint32_t least, std::uint32_t most);
[[nodiscard]] bool on_or_off(std::string_view text);
/// Of an address, an interface or an algorithm: short, printable, no spaces.
[[nodiscard]] std::string name(std::string_view text);
/// 1 B to 1 GiB.
[[nodiscard]] Bytes buffer(std::string_view text);
/// 1 ms to 1 h; the kernel counts milliseconds.
[[nodiscard]] Nanos lifetime(std::string_view text);
[[nodiscard]] StampSource stamp_source(std::string_view text);
[[nodiscard]] Segmentation segmentation(std::string_view text);
/// Who lets packets go when they are due: "user" (0), "kernel", "kernel:5ms" (200 us to 1 s).
[[nodiscard]] Nanos departure_lead(std::string_view text);
/// How often the state of a connection is looked at: 1 ms to 1 h; 0: never.
[[nodiscard]] Nanos state_interval(std::string_view text);

// Text that the parsers read back to the same; nothing for what was not asked for.
[[nodiscard]] std::optional<std::string> lead_to_string(const TransportOptions& options);
[[nodiscard]] std::optional<std::string> text_of(const std::optional<PortRange>& value);
[[nodiscard]] std::optional<std::string> text_of(const std::optional<StampSource>& value);
[[nodiscard]] std::optional<std::string> text_of(const std::optional<Segmentation>& value);
[[nodiscard]] std::optional<std::string> text_of(const std::optional<std::uint32_t>& value);
[[nodiscard]] std::optional<std::string> text_of(const std::optional<bool>& value);
[[nodiscard]] std::optional<std::string> text_of(const std::optional<Bytes>& value);
[[nodiscard]] std::optional<std::string> text_of(const std::optional<Nanos>& value);
[[nodiscard]] std::optional<std::string> text_of(const std::string& value);

}  // namespace groma::option_value
