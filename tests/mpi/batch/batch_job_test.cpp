#include "mpi/batch/batch_job.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "common/base/errors.hpp"
#include "common/cli/run_main.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/time/manual_clock.hpp"
#include "mpi/batch/batch_runner.hpp"
#include "tests/mpi/fake_mpi.hpp"
#include "tests/mpi/ticking_clock.hpp"

namespace groma {
namespace {

using testing::HasSubstr;

/// A job of one rank. No run is started: earlier jobs have done them.
class BatchJobTest : public ::testing::Test {
protected:
    BatchJobTest() {
        worker_.introduce();
        leader_.meet();
    }

    MpiOptions options_for(const std::string& ranks, std::uint64_t fresh_seed) {
        std::ofstream(file_) << "name = \"grid\"\n[hosts]\na = \"10.0.0.1\"\n"
                             << ranks << "[[flow]]\nto = \"a\"\npackets = 1\n[batch]\nsize = [64, 512]\n";
        return MpiOptions::parse(std::vector<std::string>{file_, "--out", out_}, fresh_seed);
    }

    /// An earlier job, whose runs ended so.
    void do_all(const MpiOptions& options, RunState state) {
        ManualClock clock;
        const BatchResult result = run_batch(*options.batch, options.text, {out_, false, false},
                                             {.clock = clock,
                                              .run_point =
                                                  [&](const BatchJob& /*job*/) {
                                                      return RunOutcome{state, "it broke", "", {}};
                                                  },
                                              .stop_requests = [] { return 0U; },
                                              .show_progress = {},
                                              .say = [](const std::string& /*line*/) {}});
        EXPECT_EQ(result.rows.size(), 2U);
    }

    struct Told {
        int status = 0;
        std::string out;
        std::string err;
    };
    Told run(const MpiOptions& options) {
        Told told;
        testing::internal::CaptureStdout();
        testing::internal::CaptureStderr();
        told.status = run_batch_job(leader_, options, clock_);
        told.out = testing::internal::GetCapturedStdout();
        told.err = testing::internal::GetCapturedStderr();
        return told;
    }

    SignalSet signals_ = SignalSet::stop_signals();  // before any thread
    FakeRank rank_{0, 1};
    TickingClock clock_;
    RankWorker worker_{rank_.world(), clock_};
    JobRanks ranks_{{.world = rank_.world(), .signals = signals_, .clock = clock_}, worker_};
    JobLeader leader_{ranks_};
    const TemporaryFolder folder_;
    const std::string file_ = folder_.file("grid.toml");
    const std::string out_ = folder_.file("out");
};

TEST_F(BatchJobTest, RefusesRanksThatDoNotFitBeforeItMakesAnything) {
    const MpiOptions options = options_for("[ranks]\na = 5\n", 1);
    EXPECT_THROW((void)run_batch_job(leader_, options, clock_), UsageError);
    EXPECT_FALSE(std::filesystem::exists(out_));
}

TEST_F(BatchJobTest, DoesNothingMoreWhenAllRunsAreComplete) {
    const MpiOptions options = options_for("", 1);
    do_all(options, RunState::complete);
    const Told told = run(options);
    EXPECT_EQ(told.status, kExitOk);
    EXPECT_THAT(told.out, HasSubstr("results are in " + out_));
    EXPECT_EQ(told.err.find("not all runs are complete"), std::string::npos);
}

TEST_F(BatchJobTest, GoesOnWithTheSeedThatAnEarlierJobDrew) {
    do_all(options_for("", 1), RunState::complete);
    EXPECT_EQ(run(options_for("", 2)).status, kExitOk);
}

TEST_F(BatchJobTest, FailsAndSaysHowToGoOnWhenARunHasFailed) {
    const MpiOptions options = options_for("", 1);
    do_all(options, RunState::failed);
    const Told told = run(options);
    EXPECT_EQ(told.status, kExitFailed);
    EXPECT_THAT(told.err, HasSubstr("--retry-failed"));
}

TEST_F(BatchJobTest, ListsTheRunsWithoutAJob) {
    const std::string list = batch_list_text(options_for("", 1));
    EXPECT_THAT(list, HasSubstr("001-size64"));
    EXPECT_THAT(list, HasSubstr("002-size512"));
    EXPECT_FALSE(std::filesystem::exists(out_));
}

}  // namespace
}  // namespace groma
