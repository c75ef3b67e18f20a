#include "sender/engine/log_drain.hpp"

#include <gtest/gtest.h>

#include "tests/sender/memory_log.hpp"

namespace groma {
namespace {

constexpr std::size_t kAll = 1 << 20;

SentRecord numbered(std::uint64_t seq) {
    return {.seq = seq,
            .sent_at = wall_time_from_ns(1'700'000'000'000'000'000 + static_cast<std::int64_t>(seq) * 1'000'000),
            .lateness = Nanos{0},
            .size = 100,
            .batch = 1};
}

class LogDrainTest : public testing::Test {
protected:
    const std::vector<FlowId> flows{FlowId{1}, FlowId{5}};
    BoundedSink sink;
    LogWriter writer{sink, RunMetadata{}};
    SentQueue queue{32768};

    void push(std::uint32_t place, std::uint64_t seq) { ASSERT_TRUE(queue.push({numbered(seq), place})); }
};

TEST_F(LogDrainTest, RecordsOfFlowsThatTookTurnsAreInTheLogByFlowAndInOrder) {
    LogDrain drain(flows, &writer);
    for (std::uint64_t seq = 0; seq < 10'000; ++seq) {
        push(0, seq);
        push(1, 2 * seq);
    }
    EXPECT_EQ(drain.drain(queue, kAll), 20'000U);
    SentRecords found = read_back(writer, sink);
    ASSERT_EQ(found.by_flow[FlowId{1}].size(), 10'000U);
    ASSERT_EQ(found.by_flow[FlowId{5}].size(), 10'000U);
    for (std::uint64_t seq = 0; seq < 10'000; ++seq) {
        ASSERT_EQ(found.by_flow[FlowId{1}][seq], numbered(seq));
        ASSERT_EQ(found.by_flow[FlowId{5}][seq], numbered(2 * seq));
    }
}

TEST_F(LogDrainTest, TakesNoMoreAtOnceThanItIsAskedTo) {
    LogDrain drain(flows, &writer);
    for (std::uint64_t seq = 0; seq < 10; ++seq) {
        push(0, seq);
    }
    EXPECT_EQ(drain.drain(queue, 4), 4U);
    EXPECT_EQ(drain.drain(queue, kAll), 6U);
    EXPECT_EQ(drain.drain(queue, kAll), 0U);
}

TEST_F(LogDrainTest, MetersEachFlowByItself) {
    LogDrain drain(flows, nullptr);
    push(0, 0);
    push(0, 1);
    push(1, 0);
    drain.drain(queue, kAll);
    EXPECT_EQ(drain.fidelity(0, {}).packets, 2U);
    EXPECT_EQ(drain.fidelity(1, {}).packets, 1U);
}

TEST_F(LogDrainTest, WithoutALogNothingCountsAsLost) {
    LogDrain drain(flows, nullptr);
    push(0, 0);
    drain.drain(queue, kAll);
    drain.flush();
    EXPECT_EQ(drain.unlogged(0), 0U);
    EXPECT_EQ(drain.error(), "");
}

TEST_F(LogDrainTest, AFlushShowsReadersOfTheLogWhatWasSentSoFar) {
    LogDrain drain(flows, &writer);
    const int before = sink.pieces;
    push(0, 0);
    drain.drain(queue, kAll);
    drain.flush();
    EXPECT_GT(sink.pieces, before);
}

TEST_F(LogDrainTest, RecordsAreNotCountedAsLostOnceTheLogIsFlushed) {
    LogDrain drain(flows, &writer);
    push(0, 0);
    drain.drain(queue, kAll);
    drain.flush();
    EXPECT_EQ(drain.unlogged(0), 0U);
}

TEST_F(LogDrainTest, WhatTheLogHeldWhenItFailedCountsAsLost) {
    LogDrain drain(flows, &writer);
    push(0, 0);
    drain.drain(queue, kAll);
    drain.flush();
    push(0, 1);
    push(0, 2);
    drain.drain(queue, kAll);
    sink.room = 0;
    drain.flush();
    EXPECT_EQ(drain.error(), "the disk is full");
    EXPECT_EQ(drain.unlogged(0), 2U);
}

TEST_F(LogDrainTest, AfterAnErrorOfTheLogRecordsAreCountedAndStillMetered) {
    LogDrain drain(flows, &writer);
    push(0, 0);
    drain.drain(queue, kAll);
    sink.room = 0;
    drain.flush();
    sink.room = std::size_t{1} << 40U;
    push(0, 1);
    push(1, 0);
    EXPECT_EQ(drain.drain(queue, kAll), 2U);
    drain.flush();
    EXPECT_EQ(drain.unlogged(0), 2U);
    EXPECT_EQ(drain.unlogged(1), 1U);
    EXPECT_EQ(drain.fidelity(0, {}).packets, 2U);
}

}  // namespace
}  // namespace groma
