#include "common/page/run_board.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <numeric>
#include <thread>

#include "tests/common/page/board_samples.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;

std::vector<RunNumber> numbers(const RunBoard& board) {
    std::vector<RunNumber> found;
    for (const BoardEntry& entry : board.entries()) {
        found.push_back(entry.number);
    }
    return found;
}

std::uint64_t packets_of(const std::vector<RowFigures>& rows) {
    return std::accumulate(rows.begin(), rows.end(), std::uint64_t{0}, [](std::uint64_t sum, const RowFigures& row) {
        return sum + row.received_packets.value_or(0);
    });
}

TEST(RunBoard, TextsOfPeersAreCut) {
    RunBoard board;
    BoardRun run = sample_run();
    run.experiment = std::string(5000, 'e');
    run.flows[0].traffic = std::string(100, 't') + std::string(5000, 'u');
    run.hosts.resize(5000);
    const auto kept = board.detail(board.begin(std::move(run)))->entry.run;
    EXPECT_LT(kept->experiment.size(), 300U);
    EXPECT_TRUE(kept->flows[0].traffic.starts_with(std::string(100, 't')));
    EXPECT_LT(kept->flows[0].traffic.size(), 300U);
    EXPECT_EQ(kept->hosts.size(), 1000U);
}

TEST(RunBoard, HasTheLatestRunFirst) {
    RunBoard board;
    EXPECT_EQ(board.begin(sample_run()), 1U);
    EXPECT_EQ(board.begin(sample_run()), 2U);
    EXPECT_THAT(numbers(board), ElementsAre(2U, 1U));
    EXPECT_EQ(board.detail(3), std::nullopt);
    EXPECT_EQ(board.detail(1)->entry.flows, 2U);
}

TEST(RunBoard, TellsARunsSumsAndItsLatestInterval) {
    RunBoard board;
    const RunNumber run = board.begin(sample_run());
    board.add(run, sample_row(0));
    board.add(run, sample_row(1));
    const BoardDetail detail = *board.detail(run);
    EXPECT_EQ(detail.entry.rows, 2U);
    EXPECT_EQ(detail.entry.so_far.received_packets, 6U);
    EXPECT_EQ(detail.entry.latest.received_packets, 3U);
    EXPECT_EQ(detail.flows.at(1).received_packets, 4U);
    EXPECT_EQ(board.history(run, FlowId{2}).rows.size(), 2U);
    EXPECT_EQ(board.history(run, FlowId{0}).next, 2U);
    EXPECT_TRUE(board.history(run, FlowId{9}).rows.empty());
}

TEST(RunBoard, ALastRowAddsNoTime) {
    RunBoard board;
    const RunNumber run = board.begin(sample_run());
    board.add(run, sample_row(0));
    board.add(run, sample_row(1));
    IntervalRow rest = sample_row(2);
    rest.last = true;
    board.add(run, rest);
    const BoardDetail detail = *board.detail(run);
    EXPECT_EQ(detail.entry.so_far.received_packets, 9U);
    EXPECT_EQ(detail.entry.so_far.packet_rate_pps(), 4.5) << "9 packets of 2 s";
    EXPECT_EQ(detail.flows.at(1).packet_rate_pps(), 3.0);
    EXPECT_EQ(board.history(run, FlowId{0}).rows.back().length, 0s);
    EXPECT_EQ(board.rows_since(run, 2).rows.at(0)->flows.at(0).figures.length, 0s);
}

TEST(RunBoard, JoinsRowsOfALongRunAndLosesNone) {
    RunBoard board({.rows_per_flow = 64});
    const RunNumber run = board.begin(sample_run());
    for (std::uint64_t second = 0; second < 3600; ++second) {
        board.add(run, sample_row(second));
        const std::vector<RowFigures> rows = board.history(run, FlowId{0}).rows;
        ASSERT_LE(rows.size(), 64U);
        ASSERT_EQ(packets_of(rows), 3 * (second + 1));
        ASSERT_EQ(rows.back().from + rows.back().length, std::chrono::seconds(second + 1));
    }
    const std::vector<RowFigures> rows = board.history(run, FlowId{1}).rows;
    EXPECT_GT(rows.size(), 32U);
    EXPECT_EQ(rows.front().from, 0s);
    for (std::size_t i = 1; i < rows.size(); ++i) {
        EXPECT_EQ(rows[i].from, rows[i - 1].from + rows[i - 1].length);
        EXPECT_GE(rows[i - 1].length, rows[i].length) << "only the last may be shorter";
    }
}

TEST(RunBoard, AnHourOf200FlowsIsBounded) {
    const BoardLimits limits;
    RunBoard board(limits);
    const RunNumber run = board.begin(sample_run(200));
    for (std::uint64_t second = 0; second < 3600; ++second) {
        board.add(run, sample_row(second, 200));
    }
    std::size_t rows = board.history(run, FlowId{0}).rows.size();
    for (std::uint32_t flow = 1; flow <= 200; ++flow) {
        rows += board.history(run, FlowId{flow}).rows.size();
    }
    EXPECT_LE(rows, limits.rows);
    EXPECT_GT(board.history(run, FlowId{200}).rows.size(), 200U);
}

TEST(RunBoard, ManyRunsShareTheRoomForRows) {
    RunBoard board({.rows = 1000, .rows_per_flow = 100});
    for (int i = 0; i < 40; ++i) {
        const RunNumber run = board.begin(sample_run(9));  // none of them ends
        for (std::uint64_t second = 0; second < 200; ++second) {
            board.add(run, sample_row(second, 9));
        }
    }
    std::size_t rows = 0;
    for (const RunNumber run : numbers(board)) {
        for (std::uint32_t flow = 0; flow <= 9; ++flow) {
            rows += board.history(run, FlowId{flow}).rows.size();
        }
        EXPECT_EQ(board.detail(run)->entry.so_far.received_packets, 200U * 45);
    }
    EXPECT_LE(rows, 1000U);
    EXPECT_GT(rows, 400U);
}

TEST(RunBoard, ANewRunGetsTheRoomOfEndedOnes) {
    RunBoard board({.rows = 1000, .rows_per_flow = 100});
    for (int i = 0; i < 20; ++i) {
        const RunNumber run = board.begin(sample_run(4));
        board.add(run, sample_row(0, 4));
        EXPECT_EQ(board.history(run, FlowId{4}).rows.size(), 1U) << i;
        board.end(run, {.end = "complete"});
    }
    EXPECT_TRUE(board.history(1, FlowId{0}).rows.empty());
    EXPECT_EQ(board.detail(1)->entry.so_far.received_packets, 10U);
}

TEST(RunBoard, ForgetsTheOldestEndedRuns) {
    RunBoard board({.ended_runs = 2});
    const RunNumber open = board.begin(sample_run());
    for (int i = 0; i < 4; ++i) {
        board.end(board.begin(sample_run()), {.end = "complete"});
    }
    EXPECT_THAT(numbers(board), ElementsAre(5U, 4U, open));
    board.add(2, sample_row(0));
    board.end(2, {.end = "complete"});
    EXPECT_EQ(board.detail(2), std::nullopt);
}

TEST(RunBoard, ForgetsRunsWhoseReportsTakeTooMuch) {
    RunBoard board({.report_bytes = 100});
    for (int i = 0; i < 3; ++i) {
        board.end(board.begin(sample_run()), {.end = "complete", .report_text = std::string(60, 'x')});
    }
    EXPECT_THAT(numbers(board), ElementsAre(3U));
}

TEST(RunBoard, ARunEndsOnce) {
    RunBoard board;
    const RunNumber run = board.begin(sample_run());
    board.end(run, {.end = "complete"});
    board.end(run, {.end = "failed"});
    board.add(run, sample_row(0));
    board.add_file(run, {.name = "log", .path = "/files/1/log"});
    const BoardEntry entry = board.detail(run)->entry;
    EXPECT_EQ(entry.end->end, "complete");
    EXPECT_EQ(entry.rows, 0U);
    EXPECT_EQ(entry.end->files.size(), 1U);
}

TEST(RunBoard, OfTooManyFlowsHasOnlyTheSum) {
    RunBoard board({.flows = 3});
    const RunNumber run = board.begin(sample_run(4));
    board.add(run, sample_row(0, 4));
    const BoardDetail detail = *board.detail(run);
    EXPECT_EQ(detail.entry.flows, 4U);
    EXPECT_TRUE(detail.entry.run->flows.empty());
    EXPECT_TRUE(detail.flows.empty());
    EXPECT_TRUE(board.rows_since(run, 0).rows.at(0)->flows.empty());
    EXPECT_EQ(detail.entry.so_far.received_packets, 10U);
}

TEST(RunBoard, AReaderGetsEachRowOnceOrHearsThatItMissedSome) {
    RunBoard board;
    const RunNumber run = board.begin(sample_run());
    EXPECT_TRUE(board.rows_since(run, 0).rows.empty());
    board.add(run, sample_row(0));
    board.add(run, sample_row(1));
    RowsSince since = board.rows_since(run, 0);
    EXPECT_FALSE(since.gap);
    EXPECT_EQ(since.next, 2U);
    ASSERT_EQ(since.rows.size(), 2U);
    EXPECT_EQ(since.rows[1]->all.from, 1s);
    EXPECT_EQ(board.rows_since(run, 1).rows.size(), 1U);
    for (std::uint64_t second = 2; second < 100; ++second) {
        board.add(run, sample_row(second));
    }
    since = board.rows_since(run, 2);
    EXPECT_TRUE(since.gap);
    EXPECT_EQ(since.rows.back()->all.from, 99s);
    EXPECT_EQ(board.rows_since(run, 1'000'000).rows.size(), 0U);
    EXPECT_EQ(board.rows_since(7, 3).next, 3U);
}

TEST(RunBoard, ItsVersionTellsOfEachChange) {
    RunBoard board;
    std::uint64_t before = board.version();
    const auto changed = [&] { return std::exchange(before, board.version()) != board.version(); };
    const RunNumber run = board.begin(sample_run());
    EXPECT_TRUE(changed());
    const std::uint64_t entry_before = board.detail(run)->entry.version;
    board.add(run, sample_row(0));
    EXPECT_TRUE(changed());
    EXPECT_EQ(board.detail(run)->entry.version, entry_before);
    board.end(run, {.end = "complete"});
    EXPECT_TRUE(changed());
    EXPECT_NE(board.detail(run)->entry.version, entry_before);
    EXPECT_FALSE(changed());
}

TEST(RunBoard, IsReadWhileItIsWritten) {
    RunBoard board({.ended_runs = 2, .rows = 500, .rows_per_flow = 32});
    std::atomic<bool> over{false};
    std::thread reader([&] {
        while (not over) {
            for (const RunNumber run : numbers(board)) {
                const auto detail = board.detail(run);
                const RowsSince since = board.rows_since(run, 0);
                EXPECT_TRUE(not detail or detail->entry.rows <= 50U);
                EXPECT_LE(board.history(run, FlowId{1}).rows.size(), 32U);
                EXPECT_TRUE(since.rows.empty() or since.rows.back()->all.received_packets == 3U);
            }
        }
    });
    for (int i = 0; i < 50; ++i) {
        const RunNumber run = board.begin(sample_run());
        for (std::uint64_t second = 0; second < 50; ++second) {
            board.add(run, sample_row(second));
        }
        board.end(run, {.end = "complete"});
    }
    over = true;
    reader.join();
    EXPECT_EQ(board.entries().size(), 2U);
}

}  // namespace
}  // namespace groma
