#include "decoder/extension/packet_rows.hpp"

#include <gtest/gtest.h>

#include <set>

#include "common/log/file_sink.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

constexpr std::size_t kRecordsOfABlock = 16;

/// Logs of three flows, 1, 2 and 7, in small blocks.
class PacketRowsTest : public testing::Test {
protected:
    std::shared_ptr<PacketFile> log_of(LogRole role) {
        const std::string path = folder_.file(role == LogRole::sender ? "send.glog" : "recv.glog");
        const auto sink = open_file_sink(path);
        LogWriter writer(*sink, sample_metadata(role), kRecordsOfABlock);
        for (const std::uint32_t flow : {1U, 2U, 7U}) {
            if (role == LogRole::sender) {
                writer.add(FlowId{flow}, sample_sent(320));
            } else {
                writer.add(FlowId{flow}, sample_received(100));
            }
        }
        writer.close(sample_totals());
        return std::make_shared<PacketFile>(path);
    }
    std::vector<PacketRow> rows_of(const std::shared_ptr<PacketFile>& file, const PacketQuery& query,
                                   const std::shared_ptr<const ClockState>& clock = nullptr) {
        std::vector<PacketRow> found;
        for (rows_.start(file, clock, query); not rows_.at_end(); rows_.next()) {
            found.push_back(rows_.row());
        }
        return found;
    }

    TemporaryFolder folder_;
    PacketRows rows_;
};

TEST_F(PacketRowsTest, AreTheRecordsThatAreWantedAndEachHasAnIdOfItsOwn) {
    const auto file = log_of(LogRole::sender);
    std::set<std::int64_t> ids;
    for (const PacketRow& row : rows_of(file, {})) {
        ids.insert(row.id);
    }
    EXPECT_EQ(ids.size(), 3U * 320);
    const auto some = rows_of(file, {.flow = {2, 2}, .seq = {30, 33}});
    ASSERT_EQ(some.size(), 4U);
    EXPECT_EQ(some[0].kind, BlockType::sent);
    EXPECT_EQ(some[0].flow, FlowId{2});
    EXPECT_EQ(some[0].seq, 30);
    EXPECT_EQ(some[0].sent_at, some[0].at);
    EXPECT_EQ(some[3].seq, 33);
    EXPECT_TRUE(rows_of(file, {.kind = BlockType::received}).empty());
}

TEST_F(PacketRowsTest, OfAFewSequenceNumbersReadNoOtherBlocks) {
    const auto file = log_of(LogRole::sender);
    EXPECT_EQ(rows_of(file, {.flow = {2, 2}, .seq = {30, 33}}).size(), 4U);  // across an edge of blocks
    EXPECT_EQ(rows_.blocks_read(), 2U);
    EXPECT_EQ(rows_of(file, {.flow = {2, 2}, .seq = {40, 41}}).size(), 2U);  // of the block that is held
    EXPECT_EQ(rows_.blocks_read(), 2U);
}

TEST_F(PacketRowsTest, WhatABlockHoldsIsKnownOnceItWasRead) {
    const auto file = log_of(LogRole::receiver);
    const PacketQuery before_the_run{.at = {0, 1}};
    EXPECT_TRUE(rows_of(file, before_the_run).empty());
    const std::uint64_t blocks = rows_.blocks_read();
    EXPECT_EQ(blocks, file->log().blocks().size());
    EXPECT_TRUE(rows_of(file, before_the_run).empty());
    EXPECT_EQ(rows_.blocks_read(), blocks);
}

TEST_F(PacketRowsTest, DelaysAreCorrectedByTheClock) {
    const auto file = log_of(LogRole::receiver);
    auto clock = std::make_shared<ClockState>();
    clock->kind = ClockState::Kind::probed;
    clock->fit.pieces = {{.offset = Nanos{300}}};
    const auto plain = rows_of(file, {.flow = {1, 1}});
    const auto corrected = rows_of(file, {.flow = {1, 1}}, clock);
    ASSERT_EQ(plain.size(), corrected.size());
    std::size_t undated = 0;
    for (std::size_t i = 0; i < plain.size(); ++i) {
        EXPECT_EQ(plain[i].delay.has_value(), plain[i].sent_at.has_value());
        EXPECT_EQ(plain[i].delay ? std::optional(*plain[i].delay - 300) : std::nullopt, corrected[i].delay);
        undated += plain[i].sent_at ? 0 : 1;
    }
    EXPECT_GT(undated, 0U);
    EXPECT_LT(undated, plain.size());
}

TEST_F(PacketRowsTest, APacketWithoutANumberIsInNoRangeOfThem) {
    const auto file = log_of(LogRole::receiver);
    const auto all = rows_of(file, {.flow = {1, 1}});
    ASSERT_FALSE(all.empty());
    EXPECT_EQ(all.back().seq, std::nullopt);
    EXPECT_EQ(rows_of(file, {.flow = {1, 1}, .seq = {0, std::numeric_limits<std::int64_t>::max()}}).size(),
              all.size() - 1);
}

}  // namespace
}  // namespace groma
