#include "common/base/record_queue.hpp"

#include <gtest/gtest.h>

#include <array>
#include <thread>

namespace groma {
namespace {

TEST(RecordQueue, GivesRecordsBackInTheirOrder) {
    RecordQueue<int> queue(4);
    EXPECT_TRUE(queue.push(1));
    EXPECT_TRUE(queue.push(2));
    std::array<int, 8> out{};
    ASSERT_EQ(queue.pop(out), 2U);
    EXPECT_EQ(out[0], 1);
    EXPECT_EQ(out[1], 2);
    EXPECT_EQ(queue.pop(out), 0U);
}

TEST(RecordQueue, RefusesARecordWhenFullAndTakesOneAgainAfterAPop) {
    RecordQueue<int> queue(2);
    EXPECT_TRUE(queue.push(1));
    EXPECT_TRUE(queue.push(2));
    EXPECT_FALSE(queue.push(3));
    std::array<int, 1> out{};
    ASSERT_EQ(queue.pop(out), 1U);
    EXPECT_TRUE(queue.push(4));
}

TEST(RecordQueue, CarriesAMillionRecordsBetweenTwoThreads) {
    constexpr int kRecords = 1'000'000;
    RecordQueue<int> queue(1024);
    std::thread producer([&queue] {
        for (int i = 0; i < kRecords;) {
            i += queue.push(i) ? 1 : 0;
        }
    });
    int expected = 0;
    std::array<int, 100> out{};
    while (expected < kRecords) {
        const std::size_t count = queue.pop(out);
        for (std::size_t i = 0; i < count; ++i) {
            ASSERT_EQ(out[i], expected);
            ++expected;
        }
    }
    producer.join();
}

}  // namespace
}  // namespace groma
