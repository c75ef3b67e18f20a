#include "sender/record_shipping.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "common/os/system_clock.hpp"
#include "tests/sender/memory_log.hpp"

namespace groma {
namespace {

constexpr std::uint64_t kRecords = 10'000;

SentRecord numbered(std::uint64_t seq) {
    return {.seq = seq,
            .sent_at = wall_time_from_ns(1'700'000'000'000'000'000 + static_cast<std::int64_t>(seq) * 1'000'000),
            .lateness = Nanos{0},
            .size = 100,
            .batch = 1};
}

RoundTripRecord reply(std::uint64_t seq) {
    const SentRecord sent = numbered(seq);
    return {
        .seq = seq, .sent_at = sent.sent_at, .returned_at = sent.sent_at + std::chrono::milliseconds(1), .size = 100};
}

class RecordShippingTest : public testing::Test {
protected:
    const std::vector<FlowId> flows{FlowId{1}, FlowId{5}};
    SystemClock clock;
    MemorySink sink;
    LogWriter writer{sink, RunMetadata{}};
    SentQueue first{32768};
    SentQueue second{32768};
};

TEST_F(RecordShippingTest, WhatWorkersRecordedUntilTheirEndIsInTheLog) {
    RecordShipping shipping(flows, clock);
    shipping.drain().log_to(&writer);
    shipping.start({.sent = {&first, &second}, .stamps = nullptr, .replies = nullptr});
    const auto work = [&shipping](SentQueue& queue, std::uint32_t place) {
        for (std::uint64_t seq = 0; seq < kRecords; ++seq) {
            ASSERT_TRUE(queue.push({numbered(seq), place}));
        }
        shipping.end_of_work();
    };
    std::thread other(work, std::ref(second), 1);
    work(first, 0);
    other.join();
    shipping.join();
    SentRecords found = read_back(writer, sink);
    for (const FlowId flow : flows) {
        ASSERT_EQ(found.by_flow[flow].size(), kRecords);
        EXPECT_EQ(found.by_flow[flow].back(), numbered(kRecords - 1));
    }
}

TEST_F(RecordShippingTest, SamplesThatCameBehindTheLastRecordAreInTheLogToo) {
    RecordShipping shipping(flows, clock);
    shipping.drain().log_to(&writer);
    shipping.start({.sent = {&first}, .stamps = nullptr, .replies = nullptr});
    shipping.end_of_work();
    shipping.join();
    const ConnectionSample sample{.at = wall_time_from_ns(1'700'000'000'000'000'000)};
    shipping.samples().push(FlowId{5}, sample);
    shipping.ship_last_samples();
    writer.close({});
    struct Samples final : LogVisitor {
        void on_connection(FlowId flow, std::span<const ConnectionSample> samples) override {
            for (const ConnectionSample& each : samples) {
                found.emplace_back(flow, each);
            }
        }
        std::vector<std::pair<FlowId, ConnectionSample>> found;
    } samples;
    read_log(sink.bytes, "memory", samples);
    ASSERT_EQ(samples.found.size(), 1U);
    EXPECT_EQ(samples.found[0].first, FlowId{5});
    EXPECT_EQ(samples.found[0].second.at, sample.at);
}

TEST_F(RecordShippingTest, RepliesGoOnUntilTheyAreSaidToBeOver) {
    ReplyQueue replies{1024};
    RecordShipping shipping(flows, clock);
    shipping.drain().log_to(&writer);
    shipping.start({.sent = {&first}, .stamps = nullptr, .replies = &replies});
    ASSERT_TRUE(replies.push({reply(1), 0}));
    shipping.end_of_work();
    shipping.join();
    shipping.go_on_with_replies();
    ASSERT_TRUE(replies.push({reply(2), 0}));
    shipping.end_replies();
    writer.close({});
    struct Replies final : LogVisitor {
        void on_returned(FlowId /*flow*/, std::span<const RoundTripRecord> records) override {
            for (const RoundTripRecord& record : records) {
                seqs.push_back(record.seq);
            }
        }
        std::vector<std::uint64_t> seqs;
    } found;
    read_log(sink.bytes, "memory", found);
    EXPECT_EQ(found.seqs, (std::vector<std::uint64_t>{1, 2}));
}

TEST_F(RecordShippingTest, MayEndWhileRepliesAreStillAwaited) {
    ReplyQueue replies{1024};
    RecordShipping shipping(flows, clock);
    shipping.start({.sent = {&first}, .stamps = nullptr, .replies = &replies});
    shipping.end_of_work();
    shipping.join();
    shipping.go_on_with_replies();
}

}  // namespace
}  // namespace groma
