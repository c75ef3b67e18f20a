#include "common/wire/record_columns.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "common/wire/log_block.hpp"

namespace groma {
namespace {

constexpr auto kMaxTime = std::numeric_limits<std::int64_t>::max();
constexpr auto kMinTime = std::numeric_limits<std::int64_t>::min();
constexpr auto kMaxSize = std::numeric_limits<std::uint32_t>::max();

template <typename Record>
std::vector<std::byte> packed(const std::vector<Record>& records) {
    std::vector<std::byte> payload;
    RecordColumns().pack(std::span<const Record>(records), payload);
    return payload;
}

template <typename Record>
std::vector<Record> round_trip(const std::vector<Record>& records) {
    std::vector<Record> out(records.size());
    EXPECT_TRUE(RecordColumns().unpack(packed(records), std::span(out)));
    return out;
}

std::int64_t any_time(std::mt19937_64& random) {
    switch (random() % 4) {
        case 0:
            return kMaxTime - static_cast<std::int64_t>(random() % 3);
        case 1:
            return kMinTime + static_cast<std::int64_t>(random() % 3);
        case 2:
            return static_cast<std::int64_t>(random());
        default:
            return 1'700'000'000'000'000'000 + static_cast<std::int64_t>(random() % 1'000'000);
    }
}

std::uint64_t any_seq(std::mt19937_64& random) {
    return random() % 2 == 0 ? random() : (std::uint64_t{1} << 32) - 2 + random() % 4;
}

std::uint32_t any_size(std::mt19937_64& random) {
    return random() % 2 == 0 ? static_cast<std::uint32_t>(random() % 3) : kMaxSize;
}

std::vector<SentRecord> any_sent(std::size_t count, std::mt19937_64& random) {
    std::vector<SentRecord> records(count);
    for (SentRecord& record : records) {
        record = {any_seq(random), wall_time_from_ns(any_time(random)), Nanos{any_time(random)}, any_size(random),
                  any_size(random)};
    }
    return records;
}

std::vector<ReceivedRecord> any_received(std::size_t count, std::mt19937_64& random) {
    std::vector<ReceivedRecord> records(count);
    for (ReceivedRecord& record : records) {
        record = {any_seq(random), wall_time_from_ns(any_time(random)), wall_time_from_ns(any_time(random)),
                  any_size(random)};
        if (random() % 3 == 0) {
            record.sent_at = ReceivedRecord::kNoTime;
        }
        if (random() % 3 == 0) {
            record.seq = ReceivedRecord::kNoSeq;
        }
    }
    return records;
}

/// A flow of 1,000 packets a second whose stamps have 1 us of noise.
std::vector<SentRecord> steady_flow(std::size_t count) {
    std::mt19937_64 random(5);
    std::vector<SentRecord> records(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto lateness = static_cast<std::int64_t>(random() % 1000);
        const auto due = 1'700'000'000'000'000'000 + static_cast<std::int64_t>(i) * 1'000'000;
        records[i] = {i, wall_time_from_ns(due + lateness), Nanos{lateness}, 512, 1};
    }
    return records;
}

std::vector<ReceivedRecord> arrivals_of(const std::vector<SentRecord>& sent) {
    std::mt19937_64 random(6);
    std::vector<ReceivedRecord> records;
    for (const SentRecord& record : sent) {
        const Nanos delay{50'000 + static_cast<std::int64_t>(random() % 1000)};
        records.push_back({record.seq, record.sent_at, record.sent_at + delay, record.size});
    }
    return records;
}

TEST(RecordColumns, SentRecordsOfAnyValuesComeBack) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 200; ++round) {
        const auto records = any_sent(1 + random() % 300, random);
        ASSERT_EQ(round_trip(records), records) << "round " << round;
    }
}

TEST(RecordColumns, ReceivedRecordsOfAnyValuesComeBack) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 200; ++round) {
        const auto records = any_received(1 + random() % 300, random);
        ASSERT_EQ(round_trip(records), records) << "round " << round;
    }
}

TEST(RecordColumns, ArrivalHeadersComeBackInAVersionOfTheirOwn) {
    std::mt19937_64 random(8);
    for (int round = 0; round < 200; ++round) {
        auto records = any_received(1 + random() % 300, random);
        for (ReceivedRecord& record : records) {
            record.ttl = static_cast<std::uint8_t>(random() % (round % 2 == 0 ? 256 : 2));
            record.ds_byte = static_cast<std::uint8_t>(record.ttl == 0 ? 0 : random() % 256);
        }
        records.front().ttl = 255;
        std::vector<std::byte> payload;
        ASSERT_EQ(RecordColumns().pack(records, payload), kArrivalHeaderVersion);
        std::vector<ReceivedRecord> out(records.size());
        ASSERT_TRUE(RecordColumns().unpack(payload, std::span(out), kArrivalHeaderVersion)) << "round " << round;
        ASSERT_EQ(out, records) << "round " << round;
        ASSERT_FALSE(RecordColumns().unpack(payload, std::span(out), kBlockVersion)) << "round " << round;
    }
}

TEST(RecordColumns, RecordsWithoutArrivalHeadersAreOfTheFirstVersion) {
    std::mt19937_64 random(9);
    std::vector<std::byte> payload;
    const auto records = any_received(20, random);
    EXPECT_EQ(RecordColumns().pack(records, payload), kBlockVersion);
    std::vector<ReceivedRecord> out(records.size());
    EXPECT_FALSE(RecordColumns().unpack(payload, std::span(out), kArrivalHeaderVersion));
}

TEST(RecordColumns, ABlockOfTheWorstValuesStaysWithinItsLimit) {
    std::mt19937_64 random(3);
    const auto sent = any_sent(kMaxBlockRecords, random);
    EXPECT_LT(packed(sent).size(), kMaxRecordPayload);
    EXPECT_EQ(round_trip(sent), sent);
    auto received = any_received(kMaxBlockRecords, random);
    EXPECT_LT(packed(received).size(), kMaxRecordPayload);
    EXPECT_EQ(round_trip(received), received);
    received[7].ttl = 255;
    EXPECT_LT(packed(received).size(), kMaxRecordPayload);
}

TEST(RecordColumns, PacketsTooSmallForAnythingKeepArrivalAndSize) {
    const std::vector<ReceivedRecord> records(
        100, {ReceivedRecord::kNoSeq, ReceivedRecord::kNoTime, wall_time_from_ns(5), 3});
    EXPECT_EQ(round_trip(records), records);
}

TEST(RecordColumns, PacketsThatEarlyClocksStampedBackwardsComeBack) {
    const std::vector<ReceivedRecord> records{{0, wall_time_from_ns(1000), wall_time_from_ns(10), 1},
                                              {1, wall_time_from_ns(0), wall_time_from_ns(-10), 0}};
    EXPECT_EQ(round_trip(records), records);
}

TEST(RecordColumns, ASteadyFlowTakesTenBytesAPacketInBothLogsTogether) {
    const auto sent = steady_flow(kMaxBlockRecords);
    const auto received = arrivals_of(sent);
    const std::size_t bytes = packed(sent).size() + packed(received).size() + 2 * kBlockHeaderSize;
    EXPECT_LE(bytes, std::size_t{10} * kMaxBlockRecords);
    RecordProperty("bytes_sent", static_cast<int>(packed(sent).size()));
    RecordProperty("bytes_received", static_cast<int>(packed(received).size()));
}

TEST(RecordColumns, APayloadCutAnywhereIsRefused) {
    std::mt19937_64 random(4);
    const auto payload = packed(any_received(40, random));
    std::vector<ReceivedRecord> out(40);
    for (std::size_t size = 0; size < payload.size(); ++size) {
        EXPECT_FALSE(RecordColumns().unpack(std::span(payload).first(size), std::span(out))) << size << " bytes";
    }
}

TEST(RecordColumns, BytesBehindTheColumnsAreRefused) {
    auto payload = packed(steady_flow(10));
    payload.push_back(std::byte{0});
    std::vector<SentRecord> out(10);
    EXPECT_FALSE(RecordColumns().unpack(payload, std::span(out)));
}

TEST(RecordColumns, AnyOtherNumberOfRecordsIsRefused) {
    const auto payload = packed(arrivals_of(steady_flow(1000)));
    for (const std::size_t count : {1U, 128U, 999U, 1001U, 4096U}) {
        std::vector<ReceivedRecord> out(count);
        EXPECT_FALSE(RecordColumns().unpack(payload, std::span(out))) << count;
    }
}

TEST(RecordColumns, RandomBytesAreRefusedOrAreRecords) {
    std::mt19937_64 random(7);
    for (int round = 0; round < 2000; ++round) {
        std::vector<std::byte> payload(random() % 300);
        for (std::byte& byte : payload) {
            byte = static_cast<std::byte>(random() % (round % 2 == 0 ? 256 : 3));
        }
        std::vector<SentRecord> sent(1 + random() % 200);
        if (RecordColumns().unpack(payload, std::span(sent))) {
            EXPECT_EQ(round_trip(sent), sent) << "round " << round;
        }
        std::vector<ReceivedRecord> received(sent.size());
        if (RecordColumns().unpack(payload, std::span(received))) {
            EXPECT_EQ(round_trip(received), received) << "round " << round;
        }
    }
}

}  // namespace
}  // namespace groma
