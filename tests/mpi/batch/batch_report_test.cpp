#include "mpi/batch/batch_report.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>
#include <string>
#include <vector>

#include "tests/mpi/sample_batch.hpp"

namespace groma {
namespace {

using ::testing::HasSubstr;

TEST(BatchReport, ThePlanNamesEveryRunAndTheTimeTheyTake) {
    const std::string text = batch_plan_text(sample_batch());
    EXPECT_THAT(text, HasSubstr("run  transport  size  duration  repetition"));
    EXPECT_THAT(text, HasSubstr("003-tcp-size64"));
    EXPECT_THAT(text, HasSubstr("4 runs, at least 8 s in all"));
}

TEST(BatchReport, ResultsShowWhatIsKnownAndADashForTheRest) {
    const Batch batch = sample_batch();
    std::vector<BatchRow> rows(2);
    rows[0].number = 1;
    rows[0].values = {"udp", "64", "2s"};
    rows[0].outcome.state = RunState::complete;
    rows[0].outcome.figures.verdict = "as_asked";
    rows[0].outcome.figures.values["sent_pps"] = 1000.04;
    rows[0].outcome.figures.values["rate_error"] = 0.00004;
    rows[0].outcome.figures.values["throughput_bps"] = 512'000.0;
    rows[0].outcome.figures.values["delay_p99_ns"] = 41'000;
    rows[1].number = 2;
    rows[1].values = {"udp", "512", "2s"};
    rows[1].outcome = {RunState::failed, "nobody is at h", {}, {}};
    const std::string text = batch_result_text(batch, rows);
    EXPECT_THAT(text, HasSubstr("1000.04"));
    EXPECT_THAT(text, HasSubstr("0.004 %"));
    EXPECT_THAT(text, HasSubstr("lost  throughput  delay"));
    EXPECT_THAT(text, HasSubstr("512 kbit/s"));
    EXPECT_THAT(text, HasSubstr("41 us  as asked"));
    EXPECT_THAT(text, HasSubstr("run 2 failed: nobody is at h"));
    EXPECT_THAT(text, HasSubstr("2 runs: 1 complete, 1 failed\n"));
}

TEST(BatchReport, ARunThatEndsIsALineWithItsThroughput) {
    const Batch batch = sample_batch();
    RunOutcome outcome;
    outcome.figures = {"as_asked",
                       {{"sent_pps", 1000.0},
                        {"rate_error", 0.0},
                        {"sent_packets", 2000.0},
                        {"lost", 0.0},
                        {"throughput_bps", 512'000.0}}};
    EXPECT_EQ(run_line(batch.runs()[0], outcome, 4),
              "run 1 of 4 (" + batch.runs()[0].name +
                  "): 1 kpps, rate off by 0 %, 2000 sent, 0 lost, throughput 512 kbit/s, as asked");
}

TEST(BatchReport, ADelayThatNoClockTellsIsUnknown) {
    const Batch batch = sample_batch();
    std::vector<BatchRow> rows(1);
    rows[0].values = {"udp", "64", "2s"};
    for (const double delay : {1e308, -1e308, std::numeric_limits<double>::infinity()}) {
        rows[0].outcome.figures.values["delay_p99_ns"] = delay;
        EXPECT_THAT(batch_result_text(batch, rows), HasSubstr("  -    -    -  -\n"));
    }
}

}  // namespace
}  // namespace groma
