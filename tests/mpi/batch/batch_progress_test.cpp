#include "mpi/batch/batch_progress.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <vector>

#include "tests/mpi/sample_batch.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;

const MonoTime kStart{100s};

TEST(BatchProgress, WhatIsLeftIsThePlanAndWhatRunsTakeBeyondIt) {
    const Batch batch = sample_batch();  // four runs of 2 s
    BatchProgress progress(batch.runs(), 4);
    progress.on_run_begun(batch.runs()[0], kStart);
    EXPECT_EQ(progress.left(kStart), 8s);
    EXPECT_EQ(progress.left(kStart + 1s), 7s);
    progress.on_run_ended(kStart + 3s);
    EXPECT_EQ(progress.left(kStart + 3s), 9s);
    progress.on_run_begun(batch.runs()[1], kStart + 3s);
    EXPECT_EQ(progress.left(kStart + 4s), 8s);
    EXPECT_EQ(progress.left(kStart + 60s), 6s);  // a run that takes far too long does not make it negative
}

TEST(BatchProgress, ARunWithoutAPlannedEndMakesItUnknownUntilOneWasDone) {
    Batch batch = sample_batch("[[flow]]\nto = \"h\"\n[batch]\npackets = [1, 2, 3]\n");
    BatchProgress progress(batch.runs(), 3);
    progress.on_run_begun(batch.runs()[0], kStart);
    EXPECT_EQ(progress.left(kStart), std::nullopt);
    EXPECT_EQ(progress.line(kStart + 1s), "run 1 of 3 (001-packets1), 1 s");
    progress.on_run_ended(kStart + 5s);
    progress.on_run_begun(batch.runs()[1], kStart + 5s);
    EXPECT_EQ(progress.line(kStart + 6s), "run 2 of 3 (002-packets2), 6 s, 9 s left");
}

TEST(BatchProgress, CountsFromTheFirstRunOfThisJob) {
    const Batch batch = sample_batch();
    BatchProgress progress({batch.runs()[2], batch.runs()[3]}, 4);
    progress.on_run_begun(batch.runs()[2], kStart);
    EXPECT_EQ(progress.line(kStart), "run 3 of 4 (003-tcp-size64), 0 s, 4 s left");
}

}  // namespace
}  // namespace groma
