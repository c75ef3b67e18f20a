// Rows in virtual time, with receivers that the test plays.
#include "sender/run/run_rows.hpp"

#include <gmock/gmock.h>

#include "tests/sender/sample_report.hpp"

namespace groma {
namespace {

using namespace std::chrono_literals;
using testing::ElementsAre;
using testing::IsEmpty;

constexpr MonoTime kRowsBegin{10s};

class RunRowsTest : public testing::Test {
protected:
    RunRowsTest() { rows_.start_at(kRowsBegin); }

    void look(Nanos at) {
        rows_.look(kRowsBegin + at, [&] { return std::vector<FlowProgress>{{FlowId{1}, sent_, 10 * sent_, false}}; });
    }
    /// The receiver answers the latest question.
    void answer(Nanos elapsed, std::uint64_t packets) {
        answers_ = {{.number = asked_.back(), .elapsed = elapsed, .all = {.packets = packets}}};
    }

    std::uint64_t sent_ = 0;
    std::vector<std::uint32_t> asked_;
    std::optional<std::vector<ProgressReply>> answers_;
    std::vector<IntervalRow> taken_;
    RunRows rows_{{.interval = 1s, .take = [this](const IntervalRow& row) { taken_.push_back(row); }},
                  {.ask = [this](const ProgressRequest& request) { asked_.push_back(request.number); },
                   .answers = [this] { return answers_; }},
                  {flow_numbered(1)}};
};

TEST_F(RunRowsTest, AskAtTheStartAndAtEachIntervalAndComeWithTheAnswers) {
    EXPECT_EQ(rows_.due(), kRowsBegin);
    look(-50ms);
    EXPECT_THAT(asked_, IsEmpty());
    look(0s);
    EXPECT_THAT(asked_, ElementsAre(1));
    answer(200ms, 0);
    EXPECT_EQ(rows_.due(), kRowsBegin + 1s);
    sent_ = 100;
    look(1s);
    look(1050ms);
    EXPECT_THAT(taken_, IsEmpty());  // the answer is out
    sent_ = 105;
    answer(1201ms, 99);
    look(1100ms);
    ASSERT_EQ(taken_.size(), 1U);
    EXPECT_EQ(taken_[0].all.length, 1s);
    EXPECT_EQ(taken_[0].all.sent_packets, 100U);
    EXPECT_EQ(taken_[0].all.received_packets, 99U);
    EXPECT_EQ(taken_[0].all.received_over, 1001ms);
}

TEST_F(RunRowsTest, WaitForAnswersUntilTheNextOneAtMost) {
    look(0s);
    answer(0s, 0);
    sent_ = 100;
    look(1s);
    sent_ = 200;
    look(2s);
    ASSERT_EQ(taken_.size(), 1U);
    EXPECT_EQ(taken_[0].all.sent_packets, 100U);
    EXPECT_EQ(taken_[0].all.received_packets, std::nullopt);
    answer(2s, 200);
    look(2050ms);
    ASSERT_EQ(taken_.size(), 2U);
    EXPECT_EQ(taken_[1].all.sent_packets, 100U);
    EXPECT_EQ(taken_[1].all.received_packets, 200U);
}

TEST_F(RunRowsTest, TakeAnOlderAnswerThatIsNewToThemWhereTheWayIsLongerThanTheInterval) {
    look(0s);
    answer(0s, 0);
    look(1s);
    answer(1s, 90);
    look(1s);
    look(2s);  // asks the second question of two whose answers are out
    answers_->front() = {.number = 2, .elapsed = 1500ms, .all = {.packets = 140}};
    look(3s);
    ASSERT_EQ(taken_.size(), 2U);
    EXPECT_EQ(taken_[1].all.received_packets, std::nullopt) << "the answer to the first was used";
    answers_->front() = {.number = 3, .elapsed = 2s, .all = {.packets = 190}};
    look(4s);
    ASSERT_EQ(taken_.size(), 3U);
    EXPECT_EQ(taken_[2].all.received_packets, 100U);
    EXPECT_EQ(taken_[2].all.received_over, 1s);
}

TEST_F(RunRowsTest, SkipIntervalsInWhichThisProgramStoodStill) {
    look(0s);
    answer(0s, 0);
    sent_ = 7;
    look(3500ms);
    EXPECT_EQ(rows_.due(), kRowsBegin + 4s);
    answer(3500ms, 7);
    look(3600ms);
    ASSERT_EQ(taken_.size(), 1U);
    EXPECT_EQ(taken_[0].all.length, 3500ms);
}

TEST_F(RunRowsTest, EndWithOneUpToTheEndOfTheFlowsAndOneForTheRest) {
    look(0s);
    answer(0s, 0);
    sent_ = 9'000;
    look(9s);  // a row that nobody has answered when the flows end becomes part of the next
    rows_.end(kRowsBegin + 9100ms, {{FlowId{1}, 10'000, 5'120'000, true}});
    answer(9100ms, 9'500);
    rows_.last(kRowsBegin + 12s, faithful_run());
    ASSERT_EQ(taken_.size(), 2U);
    EXPECT_EQ(taken_[0].all.length, 9100ms);
    EXPECT_EQ(taken_[0].all.sent_packets, 10'000U);
    EXPECT_EQ(taken_[0].all.received_packets, 9'500U);
    EXPECT_FALSE(taken_[0].last);
    EXPECT_EQ(taken_[1].all.from, 9100ms);
    EXPECT_EQ(taken_[1].all.sent_packets, 0U);
    EXPECT_EQ(taken_[1].all.received_packets, 500U);
    EXPECT_EQ(taken_[1].all.lost, 0U);
    EXPECT_TRUE(taken_[1].last);
}

}  // namespace
}  // namespace groma
