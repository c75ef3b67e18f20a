// The series as comma-separated values (RFC 4180): one line for each flow and interval.
#pragma once

#include <string>
#include <string_view>

#include "decoder/results/results.hpp"

namespace groma {

/// A heading, then all flows of all runs; groups are flow 0 and named as such; a run with
/// more than one flow has its total as flow 0, "total". An empty
/// field is an unknown figure. Lines end with CR LF.
[[nodiscard]] std::string csv_report(const Results& results);

/// `text` as a field: in quotes when it holds a comma or a quote; what a terminal obeys becomes "\xNN". An apostrophe
/// stands in front of what a spreadsheet would take for a formula: text that begins with '=', '+', '-' or '@' and is no
/// number.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace groma
