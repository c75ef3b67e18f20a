#include "common/log/block_stream.hpp"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

LogText without(const LogText& log, std::size_t from, std::size_t to) {
    LogText rest(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(from));
    rest.insert(rest.end(), log.begin() + static_cast<std::ptrdiff_t>(to), log.end());
    return rest;
}

/// Records of a damaged log are the original's with some left out.
template <typename Record>
bool only_left_out(const std::map<FlowId, std::vector<Record>>& read,
                   const std::map<FlowId, std::vector<Record>>& original) {
    return std::ranges::all_of(read, [&](const auto& entry) {
        const auto found = original.find(entry.first);
        if (found == original.end()) {
            return false;
        }
        auto at = found->second.begin();
        return std::ranges::all_of(entry.second, [&](const Record& record) {
            at = std::find(at, found->second.end(), record);
            if (at == found->second.end()) {
                return false;
            }
            ++at;
            return true;
        });
    });
}

template <typename Record>
bool is_beginning(const std::map<FlowId, std::vector<Record>>& read,
                  const std::map<FlowId, std::vector<Record>>& original) {
    return std::ranges::all_of(read, [&](const auto& entry) {
        const auto& all = original.at(entry.first);
        return entry.second.size() <= all.size() and std::equal(entry.second.begin(), entry.second.end(), all.begin());
    });
}

bool only_left_out(const WholeLog& read, const WholeLog& original) {
    return only_left_out(read.sent, original.sent) and only_left_out(read.received, original.received) and
           only_left_out(read.returned, original.returned) and only_left_out(read.transmitted, original.transmitted) and
           only_left_out(read.connection, original.connection);
}

bool is_beginning(const WholeLog& read, const WholeLog& original) {
    return is_beginning(read.sent, original.sent) and is_beginning(read.received, original.received) and
           is_beginning(read.returned, original.returned) and is_beginning(read.transmitted, original.transmitted) and
           is_beginning(read.connection, original.connection);
}

struct SampleLog {
    const char* name;
    LogText (*make)(LogRole);
    LogRole role;

    [[nodiscard]] LogText bytes() const { return make(role); }
};

class BlockStreamOf : public testing::TestWithParam<SampleLog> {};

TEST_P(BlockStreamOf, ALogCutAnywhereGivesTheBeginningAndATornTail) {
    const LogText whole = GetParam().bytes();
    const WholeLog original = read_all(whole);
    const auto starts = block_starts(whole);
    for (std::size_t size = kLogHeaderSize; size < whole.size(); ++size) {
        const WholeLog log = read_all(std::span(whole).first(size));
        ASSERT_TRUE(is_beginning(log, original)) << size;
        const auto next = std::ranges::upper_bound(starts, size);
        const std::size_t left = size - *std::prev(next);
        if (left == 0) {
            ASSERT_THAT(log.gaps, IsEmpty()) << size;
        } else {
            ASSERT_THAT(log.gaps, ElementsAre(AllOf(Field(&LogGap::torn_tail, true), Field(&LogGap::bytes, left),
                                                    Field(&LogGap::offset, size - left))))
                << size;
        }
    }
}

TEST_P(BlockStreamOf, ABitFlippedAnywhereGivesNoWrongRecordAndIsReported) {
    const LogText whole = GetParam().bytes();
    const WholeLog original = read_all(whole);
    for (std::size_t byte = kLogMagic.size(); byte < whole.size(); ++byte) {
        const WholeLog log = read_all(flipped(whole, byte, byte % 8));
        ASSERT_TRUE(only_left_out(log, original)) << byte;
        ASSERT_THAT(log.gaps, Not(IsEmpty())) << "byte " << byte;
        ASSERT_FALSE(log.gaps.front().torn_tail) << "byte " << byte;
    }
}

TEST_P(BlockStreamOf, OneBadBitCostsOneBlock) {
    const LogText whole = GetParam().bytes();
    const auto starts = block_starts(whole);
    for (std::size_t i = 0; i + 1 < starts.size(); ++i) {
        const WholeLog log = read_all(flipped(whole, starts[i] + kBlockHeaderSize));
        ASSERT_THAT(log.gaps, ElementsAre(AllOf(Field(&LogGap::offset, starts[i]),
                                                Field(&LogGap::bytes, starts[i + 1] - starts[i]),
                                                Field(&LogGap::reason, HasSubstr("checksum")))))
            << "block " << i;
    }
}

INSTANTIATE_TEST_SUITE_P(AllKinds, BlockStreamOf,
                         testing::Values(SampleLog{"Sender", sample_log, LogRole::sender},
                                         SampleLog{"Receiver", sample_log, LogRole::receiver},
                                         SampleLog{"MeasuredSender", sample_measured_log, LogRole::sender},
                                         SampleLog{"MeasuredReceiver", sample_measured_log, LogRole::receiver}),
                         [](const auto& log) { return log.param.name; });

TEST(BlockStream, BlocksThatAreMissingAreNamed) {
    const LogText whole = sample_log(LogRole::sender);  // metadata, probe, sent, sent, event, totals
    const auto starts = block_starts(whole);
    EXPECT_THAT(read_all(without(whole, starts[1], starts[2])).gaps,
                ElementsAre(LogGap{starts[1], 0, "block 1 missing", false}));
    EXPECT_THAT(read_all(without(whole, starts[1], starts[4])).gaps,
                ElementsAre(LogGap{starts[1], 0, "blocks 1 to 3 missing", false}));
}

TEST(BlockStream, BytesMissingWithinABlockDoNotCostTheNextOne) {
    const LogText whole = sample_log(LogRole::sender);
    const auto starts = block_starts(whole);
    const WholeLog log = read_all(without(whole, starts[2] + 60, starts[2] + 200));
    EXPECT_FALSE(log.sent.contains(FlowId{1}));
    EXPECT_EQ(log.sent.at(FlowId{2}).size(), 10U);
    EXPECT_EQ(log.gaps.size(), 1U);
}

TEST(BlockStream, RubbishBetweenBlocksIsSkipped) {
    const LogText whole = sample_log(LogRole::receiver);
    const auto starts = block_starts(whole);
    LogText log(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(starts[2]));
    log.insert(log.end(), 200'000, kBlockMagic[0]);  // longer than the window of the search
    log.insert(log.end(), whole.begin() + static_cast<std::ptrdiff_t>(starts[2]), whole.end());
    const WholeLog kept = read_all(log);
    EXPECT_EQ(kept.records(), read_all(whole).records());
    EXPECT_THAT(kept.gaps, ElementsAre(AllOf(Field(&LogGap::offset, starts[2]), Field(&LogGap::bytes, 200'000U))));
}

TEST(BlockStream, ABlockThatComesTwiceCountsOnce) {
    const LogText whole = sample_log(LogRole::sender);
    const auto starts = block_starts(whole);
    LogText log(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(starts[3]));
    log.insert(log.end(), whole.begin() + static_cast<std::ptrdiff_t>(starts[2]), whole.end());
    const WholeLog kept = read_all(log);
    EXPECT_EQ(kept.records(), read_all(whole).records());
    EXPECT_THAT(kept.gaps, ElementsAre(LogGap{starts[3], starts[3] - starts[2], "block 2 comes again", false}));
}

TEST(BlockStream, NothingCountsAfterTheTotals) {
    const LogText whole = sample_log(LogRole::sender);  // metadata, probe, sent, sent, event, totals
    const auto starts = block_starts(whole);
    LogText log = whole;
    std::uint64_t number = starts.size() - 1;
    for (const std::size_t copied : {2U, 1U, 5U}) {
        LogText block(whole.begin() + static_cast<std::ptrdiff_t>(starts[copied]),
                      whole.begin() + static_cast<std::ptrdiff_t>(starts[copied + 1]));
        BlockHeader header = *parse_block_header(block);
        header.number = number++;
        seal_block(header, block);
        log.insert(log.end(), block.begin(), block.end());
    }
    log.insert(log.end(), 5, kBlockMagic[0]);
    const WholeLog kept = read_all(log);
    EXPECT_EQ(kept.records(), read_all(whole).records());
    EXPECT_EQ(kept.probes.size(), 1U);
    EXPECT_EQ(kept.totals.size(), 1U);
    const std::string records = std::to_string(read_all(whole).sent.at(FlowId{1}).size());
    EXPECT_THAT(kept.gaps, ElementsAre(LogGap{whole.size(), log.size() - whole.size(),
                                              records + " records in 3 blocks after the totals: left out", false}));
}

}  // namespace
}  // namespace groma
