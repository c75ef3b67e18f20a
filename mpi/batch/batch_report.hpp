// A batch as text: the table of its runs before and after, and one line per run.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "common/model/experiment/batch.hpp"
#include "mpi/batch/batch_row.hpp"

namespace groma {

/// The runs of a batch before its start, with the least time that they need.
[[nodiscard]] std::string batch_plan_text(const Batch& batch);

/// The rows with their figures, and the number of runs in each state.
[[nodiscard]] std::string batch_result_text(const Batch& batch, const std::vector<BatchRow>& rows);

/// "run 6 of 12 (006-rate1000pps-size64-r1): 1000 pps, rate off by 0.01 %, 5000 sent, 0 lost, as asked".
[[nodiscard]] std::string run_line(const BatchRun& run, const RunOutcome& outcome, std::size_t runs);

}  // namespace groma
