#include "sender/engine/record_shipping.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cerrno>
#include <functional>
#include <optional>
#include <thread>

#include "common/base/errors.hpp"
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

/// The replies in a log, which it closes.
std::vector<std::uint64_t> returned_in(LogWriter& writer, const BoundedSink& sink) {
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
    return found.seqs;
}

class RecordShippingTest : public testing::Test {
protected:
    const std::vector<FlowId> flows{FlowId{1}, FlowId{5}};
    SystemClock clock;
    BoundedSink sink;
    LogWriter writer{sink, RunMetadata{}};
    SentQueue first{32768};
    SentQueue second{32768};
};

TEST_F(RecordShippingTest, WhatWorkersRecordedUntilTheirEndIsInTheLog) {
    RecordShipping shipping(flows, clock);
    shipping.drain().log_to(&writer);
    shipping.start({.sent = {&first, &second}, .stamps = nullptr, .replies = {}});
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
    shipping.start({.sent = {&first}, .stamps = nullptr, .replies = {}});
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
    shipping.start({.sent = {&first}, .stamps = nullptr, .replies = {&replies}});
    ASSERT_TRUE(replies.push({reply(1), 0}));
    shipping.end_of_work();
    shipping.join();
    shipping.go_on_with_replies();
    ASSERT_TRUE(replies.push({reply(2), 0}));
    shipping.end_replies();
    EXPECT_EQ(returned_in(writer, sink), (std::vector<std::uint64_t>{1, 2}));
}

TEST_F(RecordShippingTest, MayEndWhileRepliesAreStillAwaited) {
    ReplyQueue replies{1024};
    RecordShipping shipping(flows, clock);
    shipping.start({.sent = {&first}, .stamps = nullptr, .replies = {&replies}});
    shipping.end_of_work();
    shipping.join();
    shipping.go_on_with_replies();
}

/// Keeps its writer waiting.
class HeldSink final : public LogSink {
public:
    void append(std::span<const std::byte> /*piece*/) override {
        if (held) {
            reached = true;
            reached.notify_one();
            held.wait(true);
        }
    }
    void close() override {}
    [[nodiscard]] std::string describe() const override { return "held"; }
    void release() {
        held = false;
        held.notify_one();
    }

    std::atomic<bool> held{false};
    std::atomic<bool> reached{false};
};

TEST_F(RecordShippingTest, EndsWhenTheStampsHaveEndedBeforeTheLog) {
    HeldSink held;
    LogWriter slow(held, RunMetadata{});
    StampWorker stamps({}, 16);
    std::atomic<bool> stamps_ended{false};
    int threads = 0;
    std::optional<RecordShipping> shipping(std::in_place, flows, clock);
    shipping->drain().log_to(&slow);
    held.held = true;
    for (std::uint64_t seq = 0; seq < kRecords; ++seq) {
        ASSERT_TRUE(first.push({numbered(seq), 0}));
    }
    shipping->start({.sent = {&first}, .stamps = &stamps, .replies = {}}, [&](std::function<void()> body) {
        return make_thread([&stamps_ended, body = std::move(body), last = ++threads == 2] {
            body();
            if (last) {
                stamps_ended = true;
                stamps_ended.notify_one();
            }
        });
    });
    held.reached.wait(false);
    shipping->end_of_work();
    stamps_ended.wait(false);
    const std::jthread release([&held] { held.release(); });
    shipping.reset();
}

TEST_F(RecordShippingTest, RepliesAreInTheLogWithoutAThreadForThem) {
    ReplyQueue replies{1024};
    RecordShipping shipping(flows, clock);
    shipping.drain().log_to(&writer);
    int threads = 1;
    shipping.start({.sent = {&first}, .stamps = nullptr, .replies = {&replies}},
                   [&threads](std::function<void()> body) {
                       if (threads-- == 0) {
                           throw SystemError("start a thread", EAGAIN);
                       }
                       return make_thread(std::move(body));
                   });
    shipping.end_of_work();
    shipping.join();
    shipping.go_on_with_replies();
    ASSERT_TRUE(replies.push({reply(1), 0}));
    shipping.end_replies();
    EXPECT_EQ(returned_in(writer, sink), (std::vector<std::uint64_t>{1}));
}

}  // namespace
}  // namespace groma
