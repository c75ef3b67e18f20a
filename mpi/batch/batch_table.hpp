// batch.sqlite: one row per run of a batch, updated during the batch, readable by others at any time (schema:
// docs/guide/batch.md). One object, one thread.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "common/model/experiment/batch.hpp"
#include "common/time/instant.hpp"
#include "mpi/batch/batch_row.hpp"

namespace SQLite {
class Database;
}

namespace groma {

inline constexpr const char* kBatchTable = "batch.sqlite";

class BatchTable {
public:
    /// Creates FOLDER/batch.sqlite with a waiting row for each run, or opens the existing one. `text_hash`: of the
    /// experiment file. Throws (as all functions): RunError with the file's name; here also if it holds another batch.
    /// The batch outlives the table.
    BatchTable(const std::filesystem::path& folder, const Batch& batch, const std::string& text_hash);
    ~BatchTable();
    BatchTable(const BatchTable&) = delete;
    BatchTable& operator=(const BatchTable&) = delete;

    /// One row per run of the batch, in running order. Throws: RunError if the table has other runs.
    [[nodiscard]] std::vector<BatchRow> rows() const;

    void set_running(std::uint32_t number, WallTime now);
    void set_outcome(std::uint32_t number, const RunOutcome& outcome, WallTime now);
    /// Marks a row whose job crashed. Its end time is unknown.
    void set_interrupted(std::uint32_t number, const std::string& reason);
    /// `folder`: the results of the earlier attempt of a repeated run.
    void note_attempt(std::uint32_t number, const std::string& folder);

private:
    void make(const Batch& batch, const std::string& text_hash);
    void expect(const Batch& batch, const std::string& text_hash) const;
    [[nodiscard]] bool is_of(const BatchRow& row, const BatchRun& run) const;

    const Batch& batch_;
    std::filesystem::path file_;
    std::vector<std::string> keys_;
    std::unique_ptr<SQLite::Database> database_;
};

/// The seed of the batch in a folder; empty: none. A batch whose file has no seed continues with this one. Throws:
/// RunError.
[[nodiscard]] std::optional<std::uint64_t> seed_of_batch_in(const std::filesystem::path& folder);

}  // namespace groma
