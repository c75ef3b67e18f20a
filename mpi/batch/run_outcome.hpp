// Extracts a batch row's figures from a run's report and its decoded logs. Pure.
#pragma once

#include <string_view>

#include "mpi/batch/batch_row.hpp"
#include "mpi/job/job_report.hpp"

namespace groma {

[[nodiscard]] RunOutcome outcome_of(const JobReport& report);

/// Adds the figures that only logs have (delays, throughput) from groma-dec's JSON. Ignores invalid text.
void add_decoded(std::string_view groma_dec_json, RunFigures& figures);

}  // namespace groma
