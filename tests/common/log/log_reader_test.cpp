#include "common/log/log_reader.hpp"

#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <random>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "common/wire/log_block.hpp"
#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::Field;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

LogText bytes_of(std::string_view text) {
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

std::string refusal_of(std::span<const std::byte> log) {
    try {
        static_cast<void>(read_all(log));
    } catch (const ParseError& error) {
        return error.what();
    }
    return {};
}

/// A block with a right checksum around any payload.
LogText forged(BlockHeader header, const LogText& payload) {
    LogText block(kBlockHeaderSize + payload.size());
    std::ranges::copy(payload, block.begin() + kBlockHeaderSize);
    seal_block(header, block);
    return block;
}

LogText log_of(const std::vector<LogText>& blocks) {
    const auto start = make_log_header();
    LogText log(start.begin(), start.end());
    for (const LogText& block : blocks) {
        log.insert(log.end(), block.begin(), block.end());
    }
    return log;
}

TEST(LogReader, MetadataAreNotParsedForAVisitorThatDoesNotTakeThem) {
    struct Visitor : LogVisitor {
        [[nodiscard]] bool takes_metadata() const override { return takes; }
        void on_metadata(const RunMetadata&) override { ++metadata; }
        void on_gap(const LogGap&) override { ++gaps; }
        bool takes = true;
        int metadata = 0;
        int gaps = 0;
    };
    const LogText log = log_of({forged({.type = static_cast<std::uint8_t>(BlockType::metadata)}, bytes_of("{}"))});
    Visitor takes;
    read_log(log, "a log", takes);
    EXPECT_EQ(takes.gaps, 1) << "metadata that name nothing";
    Visitor leaves;
    leaves.takes = false;
    read_log(log, "a log", leaves);
    read_log(sample_log(LogRole::sender), "a log", leaves);
    EXPECT_EQ(leaves.gaps, 0);
    EXPECT_EQ(leaves.metadata, 0);
}

TEST(LogReader, ADamagedFileHeaderDoesNotCostTheLog) {
    const LogText whole = sample_log(LogRole::sender);
    const WholeLog log = read_all(flipped(whole, kLogMagic.size()));
    EXPECT_EQ(log.records(), read_all(whole).records());
    EXPECT_THAT(log.gaps, ElementsAre(LogGap{0, kLogHeaderSize, "the header of the log is damaged", false}));
}

TEST(LogReader, AnEmptyFileIsRefusedInWords) {
    EXPECT_THAT(refusal_of({}), HasSubstr("sample.glog: is empty"));
}

TEST(LogReader, AnotherFileIsRefusedInWords) {
    EXPECT_THAT(refusal_of(bytes_of("#!/bin/sh\necho")), HasSubstr("is not a Groma log (starts with \"#!/bin/s"));
    EXPECT_THAT(refusal_of(bytes_of("\x1b[2J")), Not(HasSubstr("\x1b")));
}

TEST(LogReader, ALogOfANewerVersionIsRefusedInWords) {
    EXPECT_THAT(refusal_of(make_log_header(2)), HasSubstr("newer version of Groma (log format 2;"));
}

TEST(LogReader, ALogThatEndsWithinItsFileHeaderIsRefusedInWords) {
    const auto header = make_log_header();
    for (std::size_t size = 1; size < header.size(); ++size) {
        EXPECT_THAT(refusal_of(std::span(header).first(size)), HasSubstr("ends within the header")) << size;
    }
}

TEST(LogReader, BlocksOfUnknownTypesVersionsAndCompressionsAreSkippedAndReported) {
    const LogText payload = bytes_of("?");
    const auto type = static_cast<std::uint8_t>(BlockType::sent);
    BlockHeader unknown_type{.type = 99, .number = 0};
    BlockHeader unknown_version{.type = type, .version = 2, .number = 1};
    BlockHeader newer_arrivals{.type = 3, .version = 3, .number = 3};
    BlockHeader unknown_compression{.type = type, .compression = 1, .number = 2};
    const WholeLog log = read_all(log_of({forged(unknown_type, payload), forged(unknown_version, payload),
                                          forged(unknown_compression, payload), forged(newer_arrivals, payload)}));
    EXPECT_THAT(log.gaps, ElementsAre(Field(&LogGap::reason, HasSubstr("block 0 is of the unknown type 99")),
                                      Field(&LogGap::reason, HasSubstr("block 1 is written in a way")),
                                      Field(&LogGap::reason, HasSubstr("block 2 is written in a way")),
                                      Field(&LogGap::reason, HasSubstr("block 3 is written in a way"))));
}

TEST(LogReader, ForgedRecordsAreReportedAndNotDelivered) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 500; ++round) {
        LogText payload(random() % 200);
        for (std::byte& byte : payload) {
            byte = static_cast<std::byte>(random() % 256);
        }
        const auto count = static_cast<std::uint32_t>(random() % 3 == 0 ? random() : random() % 6000);
        constexpr std::uint8_t kTypes[] = {2, 3, 7, 8, 9};
        const BlockHeader header{.type = kTypes[random() % 5], .first_seq = 1, .count = count};
        const WholeLog log = read_all(log_of({forged(header, payload)}));
        ASSERT_EQ(log.records(), 0U);
        ASSERT_EQ(log.gaps.size(), 1U);
    }
}

TEST(LogReader, ABlockOfMoreSamplesThanOneHoldsIsReported) {
    const BlockHeader header{.type = static_cast<std::uint8_t>(BlockType::connection),
                             .first_seq = ReceivedRecord::kNoSeq,
                             .count = kMaxBlockSamples + 1};
    EXPECT_THAT(read_all(log_of({forged(header, LogText(100))})).gaps,
                ElementsAre(Field(&LogGap::reason, HasSubstr("claims 1025 records, a block holds 1 to 1024"))));
}

TEST(LogReader, ForgedJsonIsReportedAndNotDelivered) {
    const std::string deep(1'000'000, '[');
    const std::vector<std::string> texts{"",
                                         "{",
                                         "[]",
                                         "7",
                                         "{}",
                                         "{\"at_ns\":1e30,\"kind\":\"\",\"text\":\"\"}",
                                         "{\"at_ns\":18446744073709551615,\"kind\":\"\",\"text\":\"\"}",
                                         "{\"at_ns\":0,\"flow\":4294967296,\"kind\":\"\",\"text\":\"\"}",
                                         "{\"at_ns\":0,\"kind\":\"" + std::string(5000, 'x') + "\",\"text\":\"\"}",
                                         deep};
    for (const std::string& text : texts) {
        for (const BlockType type : {BlockType::metadata, BlockType::probe, BlockType::event, BlockType::totals}) {
            const BlockHeader header{.type = static_cast<std::uint8_t>(type)};
            const WholeLog log = read_all(log_of({forged(header, bytes_of(text))}));
            ASSERT_THAT(log.gaps, ElementsAre(Field(&LogGap::reason, HasSubstr("cannot be understood"))))
                << text.substr(0, 80);
            ASSERT_TRUE(log.metadata.empty() and log.probes.empty() and log.events.empty() and log.totals.empty());
        }
    }
}

TEST(LogReader, AHeaderThatClaimsGigabytesAtTheEndIsATornTail) {
    BlockHeader header{.type = static_cast<std::uint8_t>(BlockType::metadata)};
    LogText block = forged(header, LogText(kMaxJsonPayload));
    block.resize(kBlockHeaderSize + 10);
    EXPECT_THAT(read_all(log_of({block})).gaps, ElementsAre(Field(&LogGap::torn_tail, true)));
}

TEST(LogReader, AnErrorOfTheVisitorIsNotTakenForDamage) {
    struct Picky final : LogVisitor {
        void on_event(const LogEvent& /*event*/) override { throw UsageError("not this one"); }
    };
    Picky visitor;
    EXPECT_THROW(read_log(sample_log(LogRole::sender), "sample.glog", visitor), UsageError);
}

class LogFile : public testing::Test {
protected:
    void write(const LogText& log) {
        std::ofstream(path_, std::ios::binary)
            .write(reinterpret_cast<const char*>(log.data()), static_cast<std::streamsize>(log.size()));
    }

    const TemporaryFolder folder_;
    const std::filesystem::path path_ = folder_.path() / "log_reader_test.glog";
};

TEST_F(LogFile, IsReadLikeMemory) {
    LogText log = sample_log(LogRole::receiver);
    const auto starts = block_starts(log);
    log = flipped(log, starts[2] + 70);
    // Longer than what is read from the file at a time.
    log.insert(log.begin() + static_cast<std::ptrdiff_t>(starts[1]), 3'000'001, std::byte{0xb7});
    write(log);
    WholeLog from_file;
    read_log(path_, from_file);
    const WholeLog from_memory = read_all(log);
    EXPECT_EQ(from_file.received, from_memory.received);
    EXPECT_EQ(from_file.totals, from_memory.totals);
    EXPECT_EQ(from_file.gaps, from_memory.gaps);
    EXPECT_EQ(from_file.gaps.size(), 2U);
}

TEST_F(LogFile, ThatIsBeingWrittenIsReadAsItComes) {
    const LogText log = sample_log(LogRole::sender);
    write({});
    WholeLog followed;
    std::size_t written = 0;
    std::vector<std::size_t> records;
    follow_log(path_, followed, [&](std::uint64_t bytes) {
        EXPECT_EQ(bytes, written);
        records.push_back(followed.records());
        const std::size_t piece = std::min<std::size_t>(97, log.size() - written);
        std::ofstream(path_, std::ios::binary | std::ios::app)
            .write(reinterpret_cast<const char*>(log.data() + written), static_cast<std::streamsize>(piece));
        written += piece;
        return piece > 0;
    });
    const WholeLog whole = read_all(log);
    EXPECT_EQ(followed.sent, whole.sent);
    EXPECT_EQ(followed.totals, whole.totals);
    EXPECT_THAT(followed.gaps, IsEmpty());
    EXPECT_TRUE(std::ranges::is_sorted(records));
    EXPECT_GT(std::ranges::count_if(records, [&](std::size_t n) { return n > 0 and n < whole.records(); }), 0);
}

TEST_F(LogFile, ThatIsBeingWrittenEndsWhereNoMoreIsWaitedFor) {
    const LogText log = sample_log(LogRole::sender);
    write(LogText(log.begin(), log.begin() + static_cast<std::ptrdiff_t>(log.size() / 2)));
    WholeLog followed;
    follow_log(path_, followed, [](std::uint64_t /*bytes*/) { return false; });
    WholeLog cut;
    read_log(path_, cut);
    EXPECT_EQ(followed.sent, cut.sent);
    EXPECT_EQ(followed.gaps, cut.gaps);
}

TEST_F(LogFile, ThatIsNotThereIsNamed) {
    WholeLog log;
    try {
        read_log(path_, log);
        FAIL() << "read a file that is not there";
    } catch (const SystemError& error) {
        EXPECT_THAT(error.what(), HasSubstr(path_.string()));
    }
}

TEST_F(LogFile, OfManyBlocksIsReadWhole) {
    MemorySink sink;
    LogWriter writer(sink, sample_metadata(LogRole::sender));
    const auto records = sample_sent(100'000);
    writer.add(FlowId{1}, records);
    writer.close(sample_totals());
    write(sink.log);
    WholeLog log;
    read_log(path_, log);
    EXPECT_EQ(log.sent.at(FlowId{1}), records);
    EXPECT_THAT(log.gaps, IsEmpty());
}

}  // namespace
}  // namespace groma
