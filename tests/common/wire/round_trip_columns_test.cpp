// The columns of replies and of transmit stamps: any values come back, hostile bytes are refused, and a reply takes
// little room.
#include <gtest/gtest.h>

#include <random>

#include "common/wire/log_block.hpp"
#include "common/wire/record_columns.hpp"

namespace groma {
namespace {

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

WallTime any_time(std::mt19937_64& random) {
    switch (random() % 3) {
        case 0:
            return wall_time_from_ns(std::numeric_limits<std::int64_t>::max() -
                                     static_cast<std::int64_t>(random() % 3));
        case 1:
            return wall_time_from_ns(static_cast<std::int64_t>(random()));
        default:
            return wall_time_from_ns(1'700'000'000'000'000'000 + static_cast<std::int64_t>(random() % 1'000'000));
    }
}

/// `holes`: one value in this number is missing.
std::vector<RoundTripRecord> any_returned(std::size_t count, std::mt19937_64& random, std::uint64_t holes) {
    std::vector<RoundTripRecord> records(count);
    for (RoundTripRecord& record : records) {
        record.returned_at = any_time(random);
        record.size = static_cast<std::uint32_t>(random());
        if (random() % holes != 0) {
            record.seq = random();
        }
        if (random() % holes != 0) {
            record.sent_at = any_time(random);
        }
        if (random() % holes != 0) {
            record.reflected_at = any_time(random);
            record.replied_at = any_time(random);
        }
    }
    return records;
}

std::vector<TransmitRecord> any_transmitted(std::size_t count, std::mt19937_64& random) {
    std::vector<TransmitRecord> records(count);
    for (TransmitRecord& record : records) {
        record = {random(), any_time(random)};
    }
    return records;
}

/// A flow of 1,000 packets a second, stamps with 1 us of noise, and a network with 100 us of it each way.
std::vector<RoundTripRecord> steady_replies(std::size_t count) {
    std::mt19937_64 random(5);
    const auto noise = [&](std::uint64_t range) { return Nanos{static_cast<std::int64_t>(random() % range)}; };
    std::vector<RoundTripRecord> records(count);
    for (std::size_t i = 0; i < count; ++i) {
        const auto due = wall_time_from_ns(1'700'000'000'000'000'000 + static_cast<std::int64_t>(i) * 1'000'000);
        RoundTripRecord& record = records[i];
        record.seq = i;
        record.size = 512;
        record.sent_at = due + noise(1000);
        record.reflected_at = record.sent_at + Nanos{3'000'000'000} + noise(100'000);
        record.replied_at = record.reflected_at + Nanos{5'000} + noise(5'000);
        record.returned_at = record.replied_at - Nanos{2'999'000'000} + noise(100'000);
    }
    return records;
}

TEST(RoundTripColumns, RepliesOfAnyValuesComeBack) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        const std::uint64_t holes = round % 3 == 0 ? 1 : 1 + random() % 50;  // 1: only the arrival is there
        const auto records = any_returned(1 + random() % 300, random, holes);
        ASSERT_EQ(round_trip(records), records) << "round " << round;
    }
}

TEST(RoundTripColumns, TransmitStampsOfAnyValuesComeBack) {
    std::mt19937_64 random(2);
    for (int round = 0; round < 200; ++round) {
        const auto records = any_transmitted(1 + random() % 300, random);
        ASSERT_EQ(round_trip(records), records) << "round " << round;
    }
}

TEST(RoundTripColumns, ABlockOfTheWorstValuesStaysWithinItsLimit) {
    std::mt19937_64 random(3);
    EXPECT_LT(packed(any_returned(kMaxBlockRecords, random, 1000)).size(), kMaxRecordPayload);
    EXPECT_LT(packed(any_transmitted(kMaxBlockRecords, random)).size(), kMaxRecordPayload);
}

TEST(RoundTripColumns, ASteadyFlowTakesLessThanEightBytesAReply) {
    const auto replies = steady_replies(kMaxBlockRecords);
    EXPECT_LT(packed(replies).size() + kBlockHeaderSize, std::size_t{8} * kMaxBlockRecords);
    RecordProperty("bytes", static_cast<int>(packed(replies).size()));
}

TEST(RoundTripColumns, APayloadCutAnywhereIsRefused) {
    std::mt19937_64 random(4);
    const auto payload = packed(any_returned(40, random, 3));
    std::vector<RoundTripRecord> out(40);
    for (std::size_t size = 0; size < payload.size(); ++size) {
        EXPECT_FALSE(RecordColumns().unpack(std::span(payload).first(size), std::span(out))) << size << " bytes";
    }
    const auto stamps = packed(any_transmitted(40, random));
    std::vector<TransmitRecord> times(40);
    for (std::size_t size = 0; size < stamps.size(); ++size) {
        EXPECT_FALSE(RecordColumns().unpack(std::span(stamps).first(size), std::span(times))) << size << " bytes";
    }
}

TEST(RoundTripColumns, PresenceBitsThatMeanNothingAreRefused) {
    auto payload = packed(steady_replies(10));
    std::vector<RoundTripRecord> out(10);
    for (const unsigned bad : {0x03U, 0x0cU, 0x30U, 0x40U, 0x80U}) {
        payload[0] = static_cast<std::byte>(bad);
        EXPECT_FALSE(RecordColumns().unpack(payload, std::span(out))) << bad;
    }
}

TEST(RoundTripColumns, RandomBytesAreRefusedOrAreRecords) {
    std::mt19937_64 random(7);
    int records = 0;
    for (int round = 0; round < 3000; ++round) {
        auto payload = packed(any_returned(5, random, 4));
        for (int hit = 0; hit < 3; ++hit) {
            payload[random() % payload.size()] ^= static_cast<std::byte>(1U << (random() % 8));
        }
        std::vector<RoundTripRecord> out(5);
        if (RecordColumns().unpack(payload, std::span(out))) {
            EXPECT_EQ(round_trip(out), out) << "round " << round;
            ++records;
        }
    }
    EXPECT_GT(records, 100);
}

}  // namespace
}  // namespace groma
