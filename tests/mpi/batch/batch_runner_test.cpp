#include "mpi/batch/batch_runner.hpp"

#include <SQLiteCpp/Database.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "mpi/batch/batch_folder.hpp"
#include "tests/mpi/sample_batch.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// Stands in for an MPI job that does one run.
class FakeJob {
public:
    std::set<std::string> failing;      ///< folders of runs that fail
    std::string throwing;               ///< the folder of a run that cannot begin
    unsigned stop_during_run = 0;       ///< the user asks to stop during this run, from 1
    std::vector<std::string> ran;       ///< folders
    std::vector<std::string> said;      ///< by the batch
    std::vector<std::string> progress;  ///< lines
    unsigned stop_requests = 0;
    ManualClock clock;

    RunOutcome run(const BatchJob& job) {
        const std::string name = job.folder.filename().string();
        ran.push_back(name);
        EXPECT_FALSE(std::filesystem::exists(job.folder)) << "results of an earlier attempt are in the way";
        std::filesystem::create_directory(job.folder);
        std::ofstream(job.folder / "log") << ran.size();
        job.show_progress("half way");
        clock.advance(3s);
        if (name == throwing) {
            throw RunError("nobody is at h");
        }
        if (ran.size() == stop_during_run) {
            stop_requests = 1;
            return {RunState::failed, "flow1 was stopped before its end", "ab", {}};
        }
        if (failing.contains(name)) {
            return {RunState::failed, "flow1 broke", "cd", {}};
        }
        RunOutcome outcome{RunState::complete, {}, std::string(32, '1'), {}};
        outcome.figures.verdict = "as_asked";
        outcome.figures.values["sent_packets"] = 2000 + ran.size();
        outcome.figures.values["rate_error"] = 0.0001;
        return outcome;
    }

    BatchSurroundings surroundings() {
        return {.clock = clock,
                .run_point = [this](const BatchJob& job) { return run(job); },
                .stop_requests = [this] { return stop_requests; },
                .show_progress = [this](const std::string& line) { progress.push_back(line); },
                .say = [this](const std::string& line) { said.push_back(line); }};
    }
};

class BatchRunner : public ::testing::Test {
protected:
    BatchResult run(FakeJob& job, bool stop_on_failure = false, bool retry_failed = false) {
        const BatchOptions options{folder_.path() / "out", stop_on_failure, retry_failed};
        return run_batch(batch_, kSampleBatch, options, job.surroundings());
    }

    static std::vector<std::string> states(const BatchResult& result) {
        std::vector<std::string> states;
        for (const BatchRow& row : result.rows) {
            states.emplace_back(to_string(row.outcome.state));
        }
        return states;
    }

    TemporaryFolder folder_;
    Batch batch_ = sample_batch();
};

TEST_F(BatchRunner, DoesAllRunsInOrderWithAFolderAndARowForEach) {
    FakeJob job;
    const BatchResult result = run(job);
    EXPECT_TRUE(result.complete());
    EXPECT_THAT(job.ran, ElementsAre("001-udp-size64", "002-udp-size512", "003-tcp-size64", "004-tcp-size512"));
    ASSERT_EQ(result.rows.size(), 4U);
    const BatchRow& row = result.rows[2];
    EXPECT_THAT(row.values, ElementsAre("tcp", "64", "2s"));
    EXPECT_EQ(row.seed, batch_.runs()[2].seed);
    EXPECT_EQ(row.attempts, 1U);
    EXPECT_EQ(row.outcome.figures.number("sent_packets"), 2003U);
    EXPECT_EQ(row.outcome.figures.number("lost"), std::nullopt);
    EXPECT_EQ(row.ended_ns.value() - row.started_ns.value(), 3'000'000'000);
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out" / row.folder / "log"));
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out" / "experiment.toml"));
}

TEST_F(BatchRunner, GoesOnBehindTheRunThatWasInterruptedAndDoesThatOneAgain) {
    FakeJob first;
    first.stop_during_run = 2;
    const BatchResult stopped = run(first);
    EXPECT_TRUE(stopped.interrupted);
    EXPECT_THAT(states(stopped), ElementsAre("complete", "interrupted", "waiting", "waiting"));
    EXPECT_EQ(stopped.rows[1].outcome.reason, "flow1 was stopped before its end");

    FakeJob second;
    const BatchResult result = run(second);
    EXPECT_TRUE(result.complete());
    EXPECT_THAT(second.ran, ElementsAre("002-udp-size512", "003-tcp-size64", "004-tcp-size512"));
    EXPECT_EQ(result.rows[0].outcome.figures, stopped.rows[0].outcome.figures);
    EXPECT_EQ(result.rows[0].started_ns, stopped.rows[0].started_ns);
    EXPECT_EQ(result.rows[1].attempts, 2U);
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out" / "002-udp-size512-attempt1" / "log"));
    EXPECT_THAT(second.said.front(), HasSubstr("1 of 4 runs"));
}

TEST_F(BatchRunner, ARunWhoseJobDiedIsDoneAgain) {
    FakeJob job;
    BatchSurroundings dying = job.surroundings();
    dying.run_point = [&](const BatchJob& point) -> RunOutcome {
        static_cast<void>(job.run(point));
        throw 42;  // NOLINT: an uncaught exception stands for the death of the job
    };
    const BatchOptions options{folder_.path() / "out", false, false};
    EXPECT_THROW(static_cast<void>(run_batch(batch_, kSampleBatch, options, dying)), int);

    FakeJob second;
    const BatchResult result = run(second);
    EXPECT_TRUE(result.complete());
    EXPECT_EQ(second.ran.size(), 4U);
    EXPECT_EQ(result.rows[0].attempts, 2U);
    EXPECT_EQ(result.rows[1].attempts, 1U);
}

TEST_F(BatchRunner, AFailedRunIsRecordedAndTheBatchGoesOn) {
    FakeJob job;
    job.failing = {"001-udp-size64"};
    job.throwing = "003-tcp-size64";
    const BatchResult result = run(job);
    EXPECT_THAT(states(result), ElementsAre("failed", "complete", "failed", "complete"));
    EXPECT_EQ(result.rows[0].outcome.reason, "flow1 broke");
    EXPECT_EQ(result.rows[2].outcome.reason, "nobody is at h");
    EXPECT_FALSE(result.complete());
    EXPECT_FALSE(result.interrupted);
}

TEST_F(BatchRunner, FailedRunsAreDoneAgainOnlyWhenAsked) {
    FakeJob job;
    job.failing = {"001-udp-size64"};
    static_cast<void>(run(job));
    FakeJob second;
    EXPECT_THAT(states(run(second)), ElementsAre("failed", "complete", "complete", "complete"));
    EXPECT_THAT(second.ran, ElementsAre());
    FakeJob third;
    EXPECT_TRUE(run(third, false, true).complete());
    EXPECT_THAT(third.ran, ElementsAre("001-udp-size64"));
}

TEST_F(BatchRunner, StopsAtAFailureWhenAsked) {
    FakeJob job;
    job.failing = {"002-udp-size512"};
    const BatchResult result = run(job, true);
    EXPECT_TRUE(result.stopped);
    EXPECT_THAT(states(result), ElementsAre("complete", "failed", "waiting", "waiting"));
}

TEST_F(BatchRunner, RefusesAFolderOfAnotherExperimentOrSeed) {
    FakeJob job;
    static_cast<void>(run(job));
    const BatchOptions options{folder_.path() / "out", false, false};
    const auto refusal = [&](const std::string& text) -> std::string {
        try {
            static_cast<void>(run_batch(sample_batch(text), text, options, job.surroundings()));
        } catch (const RunError& error) {
            return error.what();
        }
        return {};
    };
    EXPECT_THAT(refusal(kSampleBatch + "# changed"), HasSubstr("another experiment file"));
    EXPECT_THAT(refusal(kSampleBatch + "# changed"), HasSubstr("--out DIR"));
    BatchSurroundings surroundings = job.surroundings();
    std::string other = kSampleBatch;
    other.replace(other.find("seed = 7"), 8, "seed = 8");
    EXPECT_THROW(static_cast<void>(run_batch(sample_batch(other), kSampleBatch, options, surroundings)), RunError);
}

TEST_F(BatchRunner, RefusesATableWhoseRowsAreNotTheRunsOfTheBatch) {
    for (const char* change :
         {"UPDATE runs SET number = 223 WHERE number = 4", "UPDATE runs SET number = 0 WHERE number = 4",
          "DELETE FROM runs WHERE number = 1", "UPDATE runs SET folder = '../elsewhere' WHERE number = 2",
          "UPDATE runs SET seed = 1 WHERE number = 2", "UPDATE runs SET size = 65 WHERE number = 2",
          "PRAGMA ignore_check_constraints = ON; UPDATE runs SET state = 'over' WHERE number = 2"}) {
        const TemporaryFolder folder;
        const BatchOptions options{folder.path(), false, false};
        FakeJob first;
        first.stop_during_run = 2;
        (void)run_batch(batch_, kSampleBatch, options, first.surroundings());
        SQLite::Database(folder.file("batch.sqlite"), SQLite::OPEN_READWRITE).exec(change);
        FakeJob second;
        try {
            (void)run_batch(batch_, kSampleBatch, options, second.surroundings());
            ADD_FAILURE() << change;
        } catch (const RunError& error) {
            EXPECT_THAT(error.what(), HasSubstr("batch.sqlite: "));
        }
        EXPECT_THAT(second.ran, ::testing::IsEmpty());
    }
}

TEST_F(BatchRunner, TwoJobsCannotHaveOneFolder) {
    const BatchFolder other(folder_.path() / "out");
    FakeJob job;
    EXPECT_THROW(static_cast<void>(run(job)), RunError);
    EXPECT_TRUE(job.ran.empty());
}

TEST_F(BatchRunner, SaysALineForEachRunAndHowFarItIs) {
    FakeJob job;
    job.failing = {"004-tcp-size512"};
    static_cast<void>(run(job));
    EXPECT_THAT(job.said, ElementsAre(HasSubstr("run 1 of 4 (001-udp-size64)"), HasSubstr("run 2 of 4"),
                                      HasSubstr("run 3 of 4"), "run 4 of 4 (004-tcp-size512) failed: flow1 broke"));
    EXPECT_THAT(job.progress, ::testing::Contains("run 3 of 4 (003-tcp-size64), 6 s, 6 s left; half way"));
}

}  // namespace
}  // namespace groma
