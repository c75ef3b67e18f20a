// The tables of batch.sqlite, and the statements that write and read a run of it: columns and their order (schema:
// docs/guide/batch.md). All functions that bind or read throw SQLite::Exception.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "common/model/experiment/batch.hpp"
#include "common/time/instant.hpp"
#include "mpi/batch/batch_row.hpp"

namespace SQLite {
class Statement;
}

namespace groma {

/// Creates the tables for a batch, with a column for each of its keys.
[[nodiscard]] std::string batch_schema(const BatchPlan& plan);

/// Inserts a waiting run. `keys`: of the batch, by name.
[[nodiscard]] std::string insert_run(const std::vector<std::string>& keys);
/// `values`: one for each key.
void bind_run(SQLite::Statement& insert, const BatchRun& run, const std::vector<std::string>& values);

/// Selects all runs in running order.
[[nodiscard]] std::string select_runs(const std::vector<std::string>& keys);
/// The run at hand. `keys`: their number. Throws: also UsageError for a state that there is not.
[[nodiscard]] BatchRow run_in(SQLite::Statement& found, std::size_t keys);

/// Updates a run that has ended.
[[nodiscard]] std::string update_outcome();
void bind_outcome(SQLite::Statement& update, std::uint32_t number, const RunOutcome& outcome, WallTime now);

}  // namespace groma
