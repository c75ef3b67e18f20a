#include "common/os/reserved_cores.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <thread>

#include "common/os/scheduling.hpp"

namespace groma {
namespace {

TEST(ReservedCores, ThreadsStayOffThemUntilTheyAreGivenBack) {
    const std::vector<unsigned> usable = usable_cores();
    if (usable.size() < 2) {
        GTEST_SKIP() << "this needs two cores";
    }
    std::vector<unsigned> others(usable.begin() + 1, usable.end());
    {
        const ReservedCores reserved({usable.front()});
        std::thread([&] { EXPECT_EQ(usable_cores(), others); }).join();
    }
    EXPECT_EQ(usable_cores(), usable);
}

TEST(ReservedCores, WithoutOtherCoresNothingIsReserved) {
    const std::vector<unsigned> usable = usable_cores();
    const ReservedCores reserved(usable);
    EXPECT_EQ(usable_cores(), usable);
}

TEST(ReservedCores, WithoutAnyCoresNothingIsReserved) {
    const std::vector<unsigned> usable = usable_cores();
    const ReservedCores reserved({});
    EXPECT_EQ(usable_cores(), usable);
}

}  // namespace
}  // namespace groma
