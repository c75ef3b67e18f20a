// The columns of connections' states: exactly the fields that a protocol has come back.
#include <gtest/gtest.h>

#include <random>

#include "common/wire/log_block.hpp"
#include "common/wire/record_columns.hpp"

namespace groma {
namespace {

struct Packed {
    std::vector<std::byte> payload;
    std::uint8_t version = 0;

    [[nodiscard]] bool unpack(std::vector<ConnectionSample>& out) const {
        return RecordColumns().unpack(payload, std::span(out), version);
    }
};

Packed packed(const std::vector<ConnectionSample>& samples) {
    Packed block;
    block.version = RecordColumns().pack(std::span<const ConnectionSample>(samples), block.payload);
    return block;
}

std::vector<ConnectionSample> round_trip(const std::vector<ConnectionSample>& samples) {
    std::vector<ConnectionSample> out(samples.size());
    EXPECT_TRUE(packed(samples).unpack(out));
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
    EXPECT_LT(packed(any_samples(kMaxBlockSamples, random, 8191, 8191)).payload.size(), kMaxRecordPayload);
}

TEST(ConnectionColumns, APayloadCutAnywhereIsRefused) {
    std::mt19937_64 random(3);
    const Packed whole = packed(any_samples(30, random, 8191, 0x1155));
    std::vector<ConnectionSample> out(30);
    for (std::size_t size = 0; size < whole.payload.size(); ++size) {
        const Packed cut{{whole.payload.begin(), whole.payload.begin() + static_cast<std::ptrdiff_t>(size)},
                         whole.version};
        EXPECT_FALSE(cut.unpack(out)) << size << " bytes";
    }
}

TEST(ConnectionColumns, SamplesWithoutTheLaterFieldsAreThoseOfVersion1) {
    ConnectionSample sample{.rtt = Nanos{5}};
    EXPECT_EQ(packed({sample}).version, kBlockVersion);
    sample.acknowledged_bytes = 0;
    const Packed later = packed({sample});
    EXPECT_EQ(later.version, kAcknowledgedVersion);
    std::vector<ConnectionSample> out(1);
    EXPECT_FALSE((Packed{later.payload, kBlockVersion}.unpack(out)));
    EXPECT_FALSE((Packed{packed({ConnectionSample{.rtt = Nanos{5}}}).payload, kAcknowledgedVersion}.unpack(out)));
    EXPECT_FALSE((Packed{later.payload, kAcknowledgedVersion + 1}.unpack(out)));
}

TEST(ConnectionColumns, FieldsThatThisProgramDoesNotKnowAreRefused) {
    std::mt19937_64 random(4);
    Packed block = packed(any_samples(3, random, 8191, 0));
    std::vector<ConnectionSample> out(3);
    ASSERT_TRUE(block.unpack(out));
    block.payload[3] |= std::byte{0x04};  // presence of a fourteenth field
    EXPECT_FALSE(block.unpack(out));
    block.payload[3] |= std::byte{0x03};  // of a known field, an invalid value
    EXPECT_FALSE(block.unpack(out));
}

TEST(ConnectionColumns, DamagedBytesAreRefusedOrAreSamples) {
    std::mt19937_64 random(7);
    int samples = 0;
    for (int round = 0; round < 3000; ++round) {
        Packed block = packed(any_samples(4, random, random() % 8192, random() % 8192));
        for (int hit = 0; hit < 3; ++hit) {
            block.payload[random() % block.payload.size()] ^= static_cast<std::byte>(1U << (random() % 8));
        }
        std::vector<ConnectionSample> out(4);
        if (block.unpack(out)) {
            EXPECT_EQ(round_trip(out), out) << "round " << round;
            ++samples;
        }
    }
    EXPECT_GT(samples, 100);
}

}  // namespace
}  // namespace groma
