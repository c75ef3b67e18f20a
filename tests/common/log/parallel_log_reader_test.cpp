#include "common/log/parallel_log_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <thread>

#include "common/base/errors.hpp"
#include "common/wire/log_block.hpp"
#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

constexpr std::uint32_t kFlows = 37;

/// Keeps the calls of several threads, and whether two of them concerned one flow at the same time.
class SharedLog final : public LogVisitor {
public:
    void on_sent(FlowId flow, std::span<const SentRecord> records) override {
        {
            const std::lock_guard lock(mutex_);
            clashes += busy_[flow]++ > 0 ? 1 : 0;
        }
        std::this_thread::yield();
        const std::lock_guard lock(mutex_);
        --busy_[flow];
        kept.on_sent(flow, records);
    }
    void on_connection(FlowId flow, std::span<const ConnectionSample> samples) override {
        const std::lock_guard lock(mutex_);
        kept.on_connection(flow, samples);
    }
    void on_metadata(const RunMetadata& what) override { kept.on_metadata(what); }
    void on_probe(const ClockProbe& what) override { kept.on_probe(what); }
    void on_event(const LogEvent& what) override { kept.on_event(what); }
    void on_totals(const LogTotals& what) override { kept.on_totals(what); }
    void on_gap(const LogGap& gap) override { kept.on_gap(gap); }
    void on_progress(std::uint64_t offset) override { offsets.push_back(offset); }

    WholeLog kept;
    std::vector<std::uint64_t> offsets;
    int clashes = 0;

private:
    std::mutex mutex_;
    std::map<FlowId, int> busy_;
};

/// Alternating blocks of many flows, with statements between them.
LogText log_of_many_flows(std::size_t rounds) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::sender), 64);
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::uint32_t flow = 1; flow <= kFlows; ++flow) {
            writer.add(FlowId{flow}, sample_sent(100 + flow, round * 1000));
        }
        writer.add(FlowId{3}, sample_connection(5));
        writer.add(sample_probe());
        writer.flush();
    }
    writer.add(sample_event());
    writer.close(sample_totals());
    return sink.log;
}

void expect_the_same(const SharedLog& parallel, const WholeLog& serial) {
    EXPECT_EQ(parallel.kept.sent, serial.sent);
    EXPECT_EQ(parallel.kept.connection, serial.connection);
    EXPECT_EQ(parallel.kept.metadata, serial.metadata);
    EXPECT_EQ(parallel.kept.probes, serial.probes);
    EXPECT_EQ(parallel.kept.events, serial.events);
    EXPECT_EQ(parallel.kept.totals, serial.totals);
    EXPECT_THAT(parallel.kept.gaps, testing::UnorderedElementsAreArray(serial.gaps));
    EXPECT_EQ(parallel.clashes, 0);
}

TEST(ParallelLogReader, TellsTheSameAsOneThreadFlowByFlow) {
    const LogText log = log_of_many_flows(6);
    const WholeLog serial = read_all(log);
    ASSERT_EQ(serial.sent.size(), kFlows);
    for (const unsigned threads : {1U, 2U, 5U}) {
        SharedLog parallel;
        read_log_in_parallel(log, "sample.glog", parallel, threads);
        expect_the_same(parallel, serial);
        EXPECT_TRUE(std::ranges::is_sorted(parallel.offsets));
        EXPECT_EQ(parallel.offsets.back(), log.size());
    }
}

TEST(ParallelLogReader, DamageAnywhereIsTheSameGap) {
    const LogText log = log_of_many_flows(2);
    for (std::size_t byte = 40; byte < log.size(); byte += log.size() / 61) {
        const LogText damaged = flipped(log, byte);
        SharedLog parallel;
        read_log_in_parallel(damaged, "sample.glog", parallel, 3);
        expect_the_same(parallel, read_all(damaged));
    }
}

TEST(ParallelLogReader, ABlockThatCannotBeUnderstoodIsTold) {
    LogText log = log_of_many_flows(1);
    const std::size_t start = block_starts(log)[4];
    std::vector<std::byte> block(log.begin() + static_cast<std::ptrdiff_t>(start),
                                 log.begin() + static_cast<std::ptrdiff_t>(block_starts(log)[5]));
    BlockHeader header = *parse_block_header(block);
    header.count = 1;
    seal_block(header, block);
    std::ranges::copy(block, log.begin() + static_cast<std::ptrdiff_t>(start));
    SharedLog parallel;
    read_log_in_parallel(log, "sample.glog", parallel, 3);
    ASSERT_EQ(parallel.kept.gaps.size(), 1U);
    expect_the_same(parallel, read_all(log));
}

TEST(ParallelLogReader, AnErrorOfTheVisitorEndsIt) {
    struct Picky final : LogVisitor {
        void on_sent(FlowId flow, std::span<const SentRecord> /*records*/) override {
            if (flow == FlowId{20}) {
                throw UsageError("not this one");
            }
        }
    };
    Picky visitor;
    EXPECT_THROW(read_log_in_parallel(log_of_many_flows(3), "sample.glog", visitor, 3), UsageError);
}

TEST(ParallelLogReader, WhatIsNoLogIsRefused) {
    SharedLog parallel;
    EXPECT_THROW(read_log_in_parallel(LogText(100), "sample.glog", parallel, 3), ParseError);
    EXPECT_THROW(read_log_in_parallel(LogText(), "sample.glog", parallel, 3), ParseError);
}

}  // namespace
}  // namespace groma
