// A tampered table of a batch, with which groma-mpi continues the batch: it refuses with a message, or does runs of the
// batch, each in its own folder. Its rows are exactly those of the batch, and other files are unchanged. The input is
// that of tampered_database.hpp.
#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <string_view>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "mpi/batch/batch_report.hpp"
#include "mpi/batch/batch_runner.hpp"
#include "mpi/batch/batch_table.hpp"
#include "tests/fuzz/expect_message.hpp"
#include "tests/fuzz/neighbours.hpp"
#include "tests/fuzz/tampered_database.hpp"
#include "tests/mpi/sample_batch.hpp"

namespace {

using namespace groma;  // a program of one file
namespace fs = std::filesystem;

const Batch& batch() {
    static const Batch one = sample_batch();
    return one;
}

/// Does the remaining runs of a batch. The first one is complete, the second fails, the user stops the third.
BatchResult go_on(const fs::path& folder, bool retry_failed) {
    ManualClock clock;
    std::set<fs::path> ran;
    std::string said;
    unsigned stop_requests = 0;
    const auto run_point = [&](const BatchJob& job) {
        check(job.folder.parent_path() == folder and not fs::exists(job.folder) and ran.insert(job.folder).second,
              "a run is done in a folder that is not its own, or twice");
        fs::create_directory(job.folder);
        stop_requests += ran.size() == 3 ? 1 : 0;
        RunOutcome outcome{ran.size() == 2 ? RunState::failed : RunState::complete, "why", std::string(32, '1'), {}};
        outcome.figures.values["sent_packets"] = 2000;
        outcome.figures.values["delay_mean_ns"] = 1e6;
        return outcome;
    };
    BatchResult result = run_batch(batch(), kSampleBatch, {folder, false, retry_failed},
                                   {.clock = clock,
                                    .run_point = run_point,
                                    .stop_requests = [&] { return stop_requests; },
                                    .show_progress = [](const std::string&) {},
                                    .say = [&](const std::string& line) { said += line; }});
    check(plain_lines(said) == said, "a line is not plain text");
    return result;
}

/// A batch of which three runs have been done.
DatabaseBytes table() {
    const TemporaryFolder folder("groma-fuzz");
    (void)go_on(folder.path(), false);
    return base_of(folder.file(kBatchTable));
}

constexpr std::array<std::string_view, 4> kNeighbours{"elsewhere/log", "x/elsewhere/log", "x/out/a/b/log",
                                                      "x/out/12 and more"};

void check_rows(const BatchResult& result) {
    const auto& runs = batch().runs();
    check(result.rows.size() == runs.size(), "a batch has other runs than its file");
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const BatchRow& row = result.rows[i];
        check(row.number == runs[i].number and row.folder == runs[i].name and row.seed == runs[i].seed and
                  row.repetition == runs[i].repetition and row.values == batch().values(runs[i]),
              "a row is that of another run");
    }
    const std::string text = batch_result_text(batch(), result.rows);
    check(plain_lines(text) == text, "a table is not plain text");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const TemporaryFolder folder("groma-fuzz");
    static const DatabaseBytes base = table();
    const Neighbours neighbours(folder.path(), kNeighbours);
    const fs::path of_batch = folder.path() / "x/out";
    for (const BatchRun& run : batch().runs()) {
        write_file(of_batch / run.name / "log", run.name);
    }
    tampered(base, Choices(std::span(data, size)), of_batch / kBatchTable);
    try {
        (void)seed_of_batch_in(of_batch);
        check_rows(go_on(of_batch, size % 2 == 1));
    } catch (const RunError& error) {
        check(size > 0, "a table is refused that nobody has tampered with");
        expect_message(error.what());
        check(std::string_view(error.what()).find(of_batch.native()) != std::string_view::npos,
              "a refusal does not name the file");
    }
    neighbours.expect_unchanged();
    return 0;
}
