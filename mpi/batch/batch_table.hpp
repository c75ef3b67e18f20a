// batch.sqlite: a row for each run of a batch, written as the batch goes on, readable by others at any time
// (docs/guide/batch.md has the schema). One object, one thread.
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
    /// Makes FOLDER/batch.sqlite with a waiting row for each run, or opens the one that is there.
    /// `text_hash` is that of the experiment file. Throws (as all functions): RunError that names the file; here also
    /// when it holds another batch. The batch outlives the table.
    BatchTable(const std::filesystem::path& folder, const Batch& batch, const std::string& text_hash);
    ~BatchTable();
    BatchTable(const BatchTable&) = delete;
    BatchTable& operator=(const BatchTable&) = delete;

    /// One for each run of the batch, in the order of running. Throws: RunError when the table has others.
    [[nodiscard]] std::vector<BatchRow> rows() const;

    void set_running(std::uint32_t number, WallTime now);
    void set_outcome(std::uint32_t number, const RunOutcome& outcome, WallTime now);
    /// Of a row whose job died before it could say so. Its end is not known.
    void set_interrupted(std::uint32_t number, const std::string& reason);
    /// `folder` is where an attempt's results were put that is done again.
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

/// The seed of the batch that a folder holds; nothing when it holds none. A batch whose file has no seed goes on with
/// this one. Throws: RunError.
[[nodiscard]] std::optional<std::uint64_t> seed_of_batch_in(const std::filesystem::path& folder);

}  // namespace groma
