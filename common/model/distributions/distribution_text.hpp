// Distributions as users write them, both ways. All parsers throw UsageError with what was given, what is wrong and
// what is right.
#pragma once

#include <string>
#include <string_view>

#include "common/model/distributions/distribution.hpp"
#include "common/model/text/named_files.hpp"

namespace groma {

/// Inter-departure times: "const:1000pps", "exp:0.5ms", "unif:500pps:2000pps", "pareto:1.5:0.4ms", "normal:1ms:0.1ms",
/// "file:gaps.txt", "max" (Greedy), ...; docs/reference/models.md has every family. A rate becomes the gap 1/rate.
/// Result in nanoseconds. A value alone ("1000pps", "1ms") is a constant. `files` has the files of values.
[[nodiscard]] Distribution parse_idt(std::string_view text, const NamedFiles& files = {});

/// ON and OFF periods: as parse_idt, without rates.
[[nodiscard]] Distribution parse_period(std::string_view text, const NamedFiles& files = {});
/// Other times that are drawn; `what` they are: "time to think".
[[nodiscard]] Distribution parse_drawn_time(std::string_view text, std::string_view what, const NamedFiles& files = {});

/// Payload sizes in bytes: "const:512" or just "512", "1kB", "unif:64:1472", "normal:500:100", ...
[[nodiscard]] Distribution parse_size(std::string_view text, const NamedFiles& files = {});

// Text that the parsers above read back to the same value.
[[nodiscard]] std::string idt_to_string(const Distribution& idt);
[[nodiscard]] std::string period_to_string(const Distribution& period);
[[nodiscard]] std::string size_to_string(const Distribution& size);

}  // namespace groma
