#include "decoder/analysis/decoding_progress.hpp"

#include <gtest/gtest.h>

namespace groma {
namespace {

TEST(ProgressLine, SaysHowFarHowFastAndHowLongStill) {
    EXPECT_EQ(progress_line("recv.glog", 50'000'000, 200'000'000, Nanos{2'000'000'000}),
              "reading recv.glog: 50 MB of 200 MB, 25 MB/s, 6 s left");
}

TEST(ProgressLine, SaysNothingOfARateBeforeThereIsOne) {
    EXPECT_EQ(progress_line("a", 0, 1000, Nanos{0}), "reading a: 0 B of 1 kB");
}

TEST(ProgressLine, AFileThatGrewIsDone) {
    EXPECT_EQ(progress_line("a", 2000, 1000, Nanos{1'000'000'000}), "reading a: 2 kB of 1 kB, 2 kB/s, 0 ns left");
}

}  // namespace
}  // namespace groma
