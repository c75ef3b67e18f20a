// The series as comma-separated values (RFC 4180): one line for each flow and interval.
#pragma once

#include <string>
#include <string_view>

#include "decoder/results/results.hpp"

namespace groma {

/// A heading, then all flows of all runs. Groups are flow 0 under their names; a run with more than one flow has its
/// total as flow 0, "total". An empty field is an unknown figure. Lines end with CR LF.
[[nodiscard]] std::string csv_report(const Results& results);

/// `text` as a field: in quotes when it holds a comma or a quote; unsafe characters become "\xNN". An apostrophe
/// precedes text that a spreadsheet would take for a formula: it begins with '=', '+', '-' or '@' and is not a number.
[[nodiscard]] std::string csv_field(std::string_view text);

}  // namespace groma
