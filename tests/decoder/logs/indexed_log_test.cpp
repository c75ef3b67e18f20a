#include "decoder/logs/indexed_log.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "common/base/errors.hpp"
#include "common/os/temporary_folder.hpp"
#include "tests/common/log/log_samples.hpp"

namespace groma {
namespace {

class IndexedLogFile : public testing::Test {
protected:
    std::string written(const LogText& log) {
        std::ofstream(folder_.file("x.glog"), std::ios::binary)
            .write(reinterpret_cast<const char*>(log.data()), static_cast<std::streamsize>(log.size()));
        return folder_.file("x.glog");
    }

    /// The contents of its blocks, as a sequential reader has them.
    static WholeLog all_of(IndexedLog& log) {
        WholeLog kept;
        for (const RecordBlock& block : log.blocks()) {
            switch (block.type) {
                case BlockType::sent:
                    tell<SentRecord>(log, block, [&](const auto& records) { kept.on_sent(block.flow, records); });
                    break;
                case BlockType::received:
                    tell<ReceivedRecord>(log, block, [&](const auto& r) { kept.on_received(block.flow, r); });
                    break;
                case BlockType::round_trip:
                    tell<RoundTripRecord>(log, block, [&](const auto& r) { kept.on_returned(block.flow, r); });
                    break;
                case BlockType::transmitted:
                    tell<TransmitRecord>(log, block, [&](const auto& r) { kept.on_transmitted(block.flow, r); });
                    break;
                default:
                    tell<ConnectionSample>(log, block, [&](const auto& r) { kept.on_connection(block.flow, r); });
            }
        }
        return kept;
    }

    static void expect_same(IndexedLog& log, const LogText& bytes) {
        const WholeLog expected = read_all(bytes);
        const WholeLog found = all_of(log);
        EXPECT_EQ(found.sent, expected.sent);
        EXPECT_EQ(found.received, expected.received);
        EXPECT_EQ(found.returned, expected.returned);
        EXPECT_EQ(found.transmitted, expected.transmitted);
        EXPECT_EQ(found.connection, expected.connection);
        EXPECT_EQ(log.gaps(), expected.gaps);
        EXPECT_EQ(log.probes(), expected.probes);
        EXPECT_EQ(log.metadata().has_value(), not expected.metadata.empty());
        EXPECT_EQ(log.totals().has_value(), not expected.totals.empty());
    }

    TemporaryFolder folder_;

private:
    template <typename Record, typename Take>
    static void tell(IndexedLog& log, const RecordBlock& block, const Take& take) {
        std::vector<Record> records;
        if (log.read(block, records)) {
            EXPECT_EQ(records.size(), block.count);
            take(std::span<const Record>(records));
        }
    }
};

TEST_F(IndexedLogFile, HasWhatAReaderFromFirstToLastFinds) {
    for (const LogRole role : {LogRole::sender, LogRole::receiver}) {
        const LogText bytes = sample_measured_log(role);
        IndexedLog log(written(bytes));
        expect_same(log, bytes);
        EXPECT_EQ(log.metadata(), read_all(bytes).metadata.front());
        EXPECT_EQ(log.totals(), read_all(bytes).totals.front());
    }
}

TEST_F(IndexedLogFile, HasTheSameOfADamagedLog) {
    const LogText bytes = sample_measured_log(LogRole::receiver);
    for (std::size_t byte = 8; byte < bytes.size(); byte += 61) {
        const LogText damaged = flipped(bytes, byte, byte % 8);
        IndexedLog log(written(damaged));
        expect_same(log, damaged);
    }
    for (std::size_t size = 16; size < bytes.size(); size += 97) {
        const LogText cut(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
        IndexedLog log(written(cut));
        expect_same(log, cut);
    }
}

TEST_F(IndexedLogFile, NoticesWhenABlockChangesOrGoesAfterwards) {
    const LogText bytes = sample_log(LogRole::receiver);
    IndexedLog log(written(bytes));
    const RecordBlock block = log.blocks().front();
    std::vector<ReceivedRecord> records;
    ASSERT_TRUE(log.read(block, records));
    const auto change = [&](std::size_t size, std::size_t flip) {
        const LogText other = flipped(bytes, flip);
        std::fstream file(log.name(), std::ios::binary | std::ios::in | std::ios::out | std::ios::trunc);
        file.write(reinterpret_cast<const char*>(other.data()), static_cast<std::streamsize>(size));
    };
    change(bytes.size(), block.offset + 60);
    EXPECT_FALSE(log.read(block, records));
    EXPECT_TRUE(records.empty());
    change(block.offset + 100, 0);
    EXPECT_FALSE(log.read(block, records));
    change(bytes.size(), 0);
    EXPECT_TRUE(log.read(block, records));
}

TEST_F(IndexedLogFile, RefusesWhatIsNoLogOrNoFile) {
    EXPECT_THROW(IndexedLog(written({})), ParseError);
    EXPECT_THROW(IndexedLog(written(LogText(100))), ParseError);
    EXPECT_THROW(IndexedLog("/dev/null"), UsageError);
    EXPECT_THROW(IndexedLog(folder_.file("none.glog")), SystemError);
}

}  // namespace
}  // namespace groma
