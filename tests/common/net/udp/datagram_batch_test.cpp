#include "common/net/udp/datagram_batch.hpp"

#include <gtest/gtest.h>

#include "tests/common/net/loopback.hpp"

namespace groma {
namespace {

using loopback::FrameMaker;

std::size_t run_length(const std::vector<std::size_t>& sizes, std::size_t largest = DatagramBatch::kMostBytes) {
    FrameMaker maker(Transport::udp);
    std::vector<Frame> frames;
    for (const std::size_t size : sizes) {
        frames.push_back(maker.next(size));
    }
    return DatagramBatch::run_length(frames, largest);
}

TEST(DatagramBatch, FramesOfOneSizeGoTogether) {
    EXPECT_EQ(run_length({100}), 1U);
    EXPECT_EQ(run_length({100, 100, 100}), 3U);
    EXPECT_EQ(run_length({100, 100, 101}), 2U);
}

TEST(DatagramBatch, OneSmallerFrameMayEndThem) {
    EXPECT_EQ(run_length({100, 100, 99, 99}), 3U);
    EXPECT_EQ(run_length({100, 99, 99}), 1U) << "that are no equal ones";
    EXPECT_EQ(run_length({100, 100, 0}), 2U) << "a segment has a byte at least";
}

TEST(DatagramBatch, EmptyFramesGoOneByOne) {
    EXPECT_EQ(run_length({0, 0, 0}), 1U);
}

TEST(DatagramBatch, AMessageHasAtMostSixtyFourSegmentsAndTheBytesOfADatagram) {
    EXPECT_EQ(run_length(std::vector<std::size_t>(200, 64)), 64U);
    EXPECT_EQ(run_length(std::vector<std::size_t>(200, 1472)), 44U);
    EXPECT_EQ(run_length({32753, 32753, 1}), 2U);
    EXPECT_EQ(run_length({32754, 32754}), 1U);
    std::vector<std::size_t> full(64, 64);
    full.push_back(10);
    EXPECT_EQ(run_length(full), 64U);
}

TEST(DatagramBatch, FramesLargerThanWhatTheKernelSegmentsGoOneByOne) {
    EXPECT_EQ(run_length({1473, 1473}, 1472), 1U);
    EXPECT_EQ(run_length({1472, 1472}, 1472), 2U);
    EXPECT_EQ(run_length({1, 1}, 0), 1U);
}

}  // namespace
}  // namespace groma
