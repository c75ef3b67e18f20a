#include "common/log/log_batch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "common/base/errors.hpp"
#include "common/log/log_header.hpp"
#include "common/wire/record_block.hpp"
#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

using testing::ElementsAre;

/// The flows of a log's blocks, in the order in which a visitor gets them.
struct OrderOfFlows final : LogVisitor {
    void on_sent(FlowId flow, std::span<const SentRecord> records) override {
        flows.push_back(flow);
        kept.on_sent(flow, records);
    }
    std::vector<FlowId> flows;
    WholeLog kept;
};

/// Three blocks: of flow 1, of flow 2, which is larger, and of flow 1 again.
LogText log_of_two_flows() {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::sender));
    writer.add(FlowId{1}, sample_sent(20));
    writer.flush();
    writer.add(FlowId{2}, sample_sent(900));
    writer.flush();
    writer.add(FlowId{1}, sample_sent(20, 20));
    writer.close(sample_totals());
    return sink.log;
}

/// Puts the blocks of records into the batch; `change` may alter a header before.
template <typename Change>
void fill(LogBatch& batch, const LogText& log, Change change) {
    MemoryBytes bytes(log);
    WholeLog ignored;
    BlockStream blocks(bytes, ignored);
    pass_log_header(bytes, "sample.glog", blocks);
    while (auto block = blocks.next()) {
        if (is_of_records(static_cast<BlockType>(block->header.type))) {
            change(block->header);
            batch.add(*block);
        }
    }
    batch.close();
}

void fill(LogBatch& batch, const LogText& log) {
    fill(batch, log, [](BlockHeader& /*header*/) {});
}

TEST(LogBatch, TellsOfTheLargestFlowFirstAndOfEachFlowInItsOrder) {
    const LogText log = log_of_two_flows();
    LogBatch batch;
    fill(batch, log);
    OrderOfFlows told;
    batch.work(told);
    EXPECT_THAT(told.flows, ElementsAre(FlowId{2}, FlowId{1}, FlowId{1}));
    EXPECT_EQ(told.kept.sent, read_all(log).sent);
    EXPECT_TRUE(batch.finish().empty());
}

TEST(LogBatch, TellsOfEachBlockOnceHoweverManyWorkOnIt) {
    LogBatch batch;
    fill(batch, log_of_two_flows());
    OrderOfFlows first;
    OrderOfFlows second;
    batch.work(first);
    batch.work(second);
    EXPECT_EQ(first.flows.size(), 3U);
    EXPECT_TRUE(second.flows.empty());
}

TEST(LogBatch, IsEmptyOnceItIsFinishedAndCanBeFilledAgain) {
    const LogText log = log_of_two_flows();
    LogBatch batch;
    for (int round = 0; round < 2; ++round) {
        EXPECT_TRUE(batch.empty()) << round;
        EXPECT_EQ(batch.bytes(), 0U) << round;
        fill(batch, log);
        OrderOfFlows told;
        batch.work(told);
        EXPECT_EQ(told.flows.size(), 3U) << round;
        EXPECT_TRUE(batch.finish().empty()) << round;
    }
}

TEST(LogBatch, CountsBlocksWithoutPayloadAsWell) {
    LogBatch batch;
    batch.add({});
    EXPECT_GT(batch.bytes(), 0U);
    EXPECT_FALSE(batch.empty());
}

TEST(LogBatch, SaysWhatCouldNotBeUnderstoodInTheOrderOfTheLog) {
    LogBatch batch;
    fill(batch, log_of_two_flows(), [](BlockHeader& header) { header.count += 1; });
    OrderOfFlows told;
    batch.work(told);
    EXPECT_TRUE(told.flows.empty());
    const std::vector<LogGap> gaps = batch.finish();
    ASSERT_EQ(gaps.size(), 3U);
    EXPECT_TRUE(std::ranges::is_sorted(gaps, {}, &LogGap::offset));
    EXPECT_TRUE(batch.finish().empty());
}

TEST(LogBatch, KeepsWhatAVisitorThrowsUntilItIsFinished) {
    struct Picky final : LogVisitor {
        void on_sent(FlowId /*flow*/, std::span<const SentRecord> /*records*/) override {
            throw UsageError("not this one");
        }
    };
    LogBatch batch;
    fill(batch, log_of_two_flows());
    Picky picky;
    batch.work(picky);
    OrderOfFlows told;
    batch.work(told);
    EXPECT_TRUE(told.flows.empty()) << "nothing is told after an error";
    EXPECT_THROW((void)batch.finish(), UsageError);
    EXPECT_TRUE(batch.empty());
    EXPECT_TRUE(batch.finish().empty()) << "told twice";
}

}  // namespace
}  // namespace groma
