// What a run's report and its decoded logs say, as a row of a batch keeps it. Pure.
#pragma once

#include <string_view>

#include "mpi/batch/batch_row.hpp"
#include "mpi/job/job_report.hpp"

namespace groma {

[[nodiscard]] RunOutcome outcome_of(const JobReport& report);

/// Adds what only the logs tell (delays, throughput), from the JSON that groma-dec makes of them. A text that is
/// something else adds nothing.
void add_decoded(std::string_view groma_dec_json, RunFigures& figures);

}  // namespace groma
