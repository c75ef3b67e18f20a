#include "common/shipping/shipment_queue.hpp"

#include <gtest/gtest.h>

#include <future>
#include <stdexcept>
#include <string_view>
#include <thread>

#include "common/shipping/log_frames.hpp"

namespace groma {
namespace {

std::span<const std::byte> bytes(std::string_view text) {
    return std::as_bytes(std::span(text));
}

/// The number of the piece that is to be sent next; -1: nothing is, -2: the closing frame is.
int next_number(ShipmentQueue& queue) {
    const auto frame = queue.next_to_send();
    if (not frame) {
        return -1;
    }
    const LogFrame parsed = parse_log_frame(frame->subspan(4), "test");
    const auto* piece = std::get_if<LogPiece>(&parsed);
    return piece != nullptr ? static_cast<int>(piece->number) : -2;
}

TEST(ShipmentQueue, SendsPiecesInOrderAndOnce) {
    ShipmentQueue queue(1000);
    queue.push(bytes("a"));
    queue.push(bytes("b"));
    EXPECT_EQ(next_number(queue), 0);
    queue.sent();
    EXPECT_EQ(next_number(queue), 1);
    queue.sent();
    EXPECT_EQ(next_number(queue), -1);
    EXPECT_TRUE(queue.unconfirmed());
    EXPECT_TRUE(queue.acknowledge(2));
    EXPECT_FALSE(queue.unconfirmed());
}

TEST(ShipmentQueue, SendsWhatWasNotDurableAgainOnANewConnection) {
    ShipmentQueue queue(1000);
    for (const char* text : {"a", "b", "c"}) {
        queue.push(bytes(text));
        queue.sent();
    }
    EXPECT_TRUE(queue.resume_at(1));
    EXPECT_EQ(next_number(queue), 1);
}

TEST(ShipmentQueue, DoesNotBelieveAcknowledgementsOfWhatWasNeverSent) {
    ShipmentQueue queue(1000);
    queue.push(bytes("a"));
    EXPECT_FALSE(queue.acknowledge(1));
    queue.sent();
    EXPECT_TRUE(queue.acknowledge(1));
    EXPECT_FALSE(queue.acknowledge(0));
    EXPECT_FALSE(queue.resume_at(0));
    EXPECT_FALSE(queue.resume_at(2));
}

TEST(ShipmentQueue, HoldsTheLogBackWhileItsMemoryIsFull) {
    ShipmentQueue queue(40);
    queue.push(bytes("twenty bytes of data"));
    queue.sent();
    auto pushed = std::async(std::launch::async, [&] { queue.push(bytes("and again some bytes")); });
    EXPECT_EQ(queue.waiting_bytes(), 37U);
    EXPECT_TRUE(queue.acknowledge(1));
    pushed.get();
    EXPECT_EQ(next_number(queue), 1);
}

TEST(ShipmentQueue, ClosesAfterTheLastPiece) {
    ShipmentQueue queue(1000);
    queue.push(bytes("a"));
    auto closed = std::async(std::launch::async, [&] { queue.close(); });
    EXPECT_EQ(next_number(queue), 0);
    queue.sent();
    while (next_number(queue) == -1) {
        std::this_thread::yield();
    }
    EXPECT_EQ(next_number(queue), -2);
    queue.sent();
    EXPECT_EQ(next_number(queue), -1);
    queue.finish();
    closed.get();
}

TEST(ShipmentQueue, TellsTheLogWhyShippingFailed) {
    ShipmentQueue queue(1000);
    queue.fail(std::make_exception_ptr(std::runtime_error("no server")));
    EXPECT_THROW(queue.push(bytes("a")), std::runtime_error);
    EXPECT_THROW(queue.close(), std::runtime_error);
}

}  // namespace
}  // namespace groma
