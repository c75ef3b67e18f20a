// The columns of connections' states: exactly the fields that a protocol has come back.
#include <gtest/gtest.h>

#include <random>

#include "common/wire/log_block.hpp"
#include "common/wire/record_columns.hpp"

namespace groma {
namespace {

std::vector<std::byte> packed(const std::vector<ConnectionSample>& samples) {
    std::vector<std::byte> payload;
    RecordColumns().pack(std::span<const ConnectionSample>(samples), payload);
    return payload;
}

std::vector<ConnectionSample> round_trip(const std::vector<ConnectionSample>& samples) {
    std::vector<ConnectionSample> out(samples.size());
    EXPECT_TRUE(RecordColumns().unpack(packed(samples), std::span(out)));
    return out;
}

/// Of the fields, those whose bit is in `known` are there; of those in `sometimes`, every third one is not.
std::vector<ConnectionSample> any_samples(std::size_t count, std::mt19937_64& random, std::uint64_t known,
                                          std::uint64_t sometimes) {
    std::vector<ConnectionSample> samples(count);
    for (ConnectionSample& sample : samples) {
        sample.at = wall_time_from_ns(static_cast<std::int64_t>(random()));
        const auto has = [&](unsigned field) {
            return (known >> field & 1) != 0 and ((sometimes >> field & 1) == 0 or random() % 3 != 0);
        };
        unsigned field = 0;
        for (auto* span : {&sample.rtt, &sample.rtt_variation, &sample.min_rtt}) {
            if (has(field++)) {
                *span = Nanos{static_cast<std::int64_t>(random())};
            }
        }
        for (auto* number : {&sample.cwnd, &sample.ssthresh, &sample.in_flight, &sample.retransmitted,
                             &sample.retransmitted_bytes, &sample.delivery_rate_bps, &sample.pacing_rate_bps,
                             &sample.segment, &sample.application_limited, &sample.acknowledged_bytes}) {
            if (has(field++)) {
                *number = random() % 2 == 0 ? random() : random() % 100'000;
            }
        }
    }
    return samples;
}

TEST(ConnectionColumns, SamplesOfAnythingComeBack) {
    std::mt19937_64 random(1);
    for (int round = 0; round < 300; ++round) {
        const auto samples = any_samples(1 + random() % 100, random, random() % 8192, random() % 8192);
        ASSERT_EQ(round_trip(samples), samples) << "round " << round;
    }
}

TEST(ConnectionColumns, ABlockOfTheWorstValuesStaysWithinItsLimit) {
    std::mt19937_64 random(2);
    EXPECT_LT(packed(any_samples(kMaxBlockSamples, random, 8191, 8191)).size(), kMaxRecordPayload);
}

TEST(ConnectionColumns, APayloadCutAnywhereIsRefused) {
    std::mt19937_64 random(3);
    const auto payload = packed(any_samples(30, random, 1023, 0x155));
    std::vector<ConnectionSample> out(30);
    for (std::size_t size = 0; size < payload.size(); ++size) {
        EXPECT_FALSE(RecordColumns().unpack(std::span(payload).first(size), std::span(out))) << size << " bytes";
    }
}

TEST(ConnectionColumns, FieldsThatThisProgramDoesNotKnowAreRefused) {
    std::mt19937_64 random(4);
    auto payload = packed(any_samples(3, random, 1023, 0));
    std::vector<ConnectionSample> out(3);
    ASSERT_TRUE(RecordColumns().unpack(payload, std::span(out)));
    payload[2] = std::byte{0x10};  // presence of an eleventh field
    EXPECT_FALSE(RecordColumns().unpack(payload, std::span(out)));
    payload[2] = std::byte{0x03};  // of a known field, an invalid value
    EXPECT_FALSE(RecordColumns().unpack(payload, std::span(out)));
}

TEST(ConnectionColumns, DamagedBytesAreRefusedOrAreSamples) {
    std::mt19937_64 random(7);
    int samples = 0;
    for (int round = 0; round < 3000; ++round) {
        auto payload = packed(any_samples(4, random, random() % 8192, random() % 8192));
        for (int hit = 0; hit < 3; ++hit) {
            payload[random() % payload.size()] ^= static_cast<std::byte>(1U << (random() % 8));
        }
        std::vector<ConnectionSample> out(4);
        if (RecordColumns().unpack(payload, std::span(out))) {
            EXPECT_EQ(round_trip(out), out) << "round " << round;
            ++samples;
        }
    }
    EXPECT_GT(samples, 100);
}

}  // namespace
}  // namespace groma
