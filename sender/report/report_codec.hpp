// A sender's report as JSON and back, for its way to who merges reports. Unlike report_json() it keeps all that merging
// needs.
#pragma once

#include "common/json/describe.hpp"
#include "sender/report/run_report.hpp"

namespace groma {

template <typename Fields>
void describe(Fields& fields, As<Fields, SendReport>& report);

}  // namespace groma
