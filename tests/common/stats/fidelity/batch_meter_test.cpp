#include "common/stats/fidelity/batch_meter.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <vector>

namespace groma {
namespace {

/// Packets of a send call: their batch and the call's stamp.
struct Departures {
    std::vector<std::uint64_t> batches;
    std::vector<std::int64_t> sent_at;

    void add(std::size_t packets, std::uint64_t batch, std::int64_t at) {
        batches.insert(batches.end(), packets, batch);
        sent_at.insert(sent_at.end(), packets, at);
    }
};

BatchMeter metered(const Departures& departures) {
    BatchMeter meter;
    meter.add(departures.batches, departures.sent_at);
    return meter;
}

TEST(BatchMeter, PacketsOfOneCallAreOneBatch) {
    Departures departures;
    departures.add(1, 1, 10);
    departures.add(3, 3, 20);
    departures.add(3, 3, 30);  // another call of as many
    departures.add(1, 0, 40);  // 0 is alone as well
    const BatchMeter meter = metered(departures);
    EXPECT_EQ(meter.alone(), 2U);
    EXPECT_EQ(meter.batched(), 6U);
    EXPECT_EQ(meter.largest(), 3U);
    EXPECT_EQ(meter.sizes().count(), 4U);
    EXPECT_EQ(meter.sizes().max(), 3);
    EXPECT_EQ(meter.sizes().percentile(0.75), 3);
    EXPECT_EQ(meter.sizes().percentile(0.5), 1);
}

TEST(BatchMeter, ACallWhosePacketsAreMissingEndsAtTheNextStamp) {
    Departures departures;
    departures.add(2, 5, 10);
    departures.add(2, 5, 20);
    departures.add(1, 4, 20);  // another call at the same time
    const BatchMeter meter = metered(departures);
    EXPECT_EQ(meter.batched(), 5U);
    EXPECT_EQ(meter.sizes().count(), 3U);
}

TEST(BatchMeter, ALongCallIsOneBatchHoweverItComes) {
    Departures departures;
    departures.add(64, 64, 10);
    departures.add(64, 64, 20);
    const BatchMeter all = metered(departures);
    EXPECT_EQ(all.batched(), 128U);
    EXPECT_EQ(all.sizes().count(), 2U);
    BatchMeter pieces;
    const std::span batches(departures.batches);
    const std::span sent_at(departures.sent_at);
    for (std::size_t first = 0; first < batches.size();) {
        const std::size_t count = std::min<std::size_t>(first % 3 == 0 ? 1 : 31, batches.size() - first);
        pieces.add(batches.subspan(first, count), sent_at.subspan(first, count));
        first += count;
    }
    EXPECT_EQ(pieces.batched(), 128U);
    EXPECT_EQ(pieces.sizes().count(), 2U);
    EXPECT_EQ(pieces.largest(), 64U);
}

TEST(BatchMeter, PacketsThatFollowACallThatIsNotCompleteAreAlone) {
    BatchMeter meter;
    Departures first;
    first.add(2, 3, 10);
    meter.add(first.batches, first.sent_at);
    Departures others;
    others.add(4, 1, 20);
    meter.add(others.batches, others.sent_at);
    EXPECT_EQ(meter.alone(), 4U);
    EXPECT_EQ(meter.batched(), 2U);
    EXPECT_EQ(meter.sizes().count(), 5U);
}

}  // namespace
}  // namespace groma
