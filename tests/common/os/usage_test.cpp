#include "common/os/usage.hpp"

#include <gtest/gtest.h>

#include <thread>

namespace groma {
namespace {

TEST(Usage, CountsWhatThisThreadDid) {
    const CpuUsage before = thread_usage();
    volatile std::uint64_t work = 0;
    while ((thread_usage() - before).user + (thread_usage() - before).system < std::chrono::milliseconds(5)) {
        work = work + 1;
    }
    // A sleep that is over before it begins is not a switch. If the count never grows, ctest ends the test.
    while ((thread_usage() - before).voluntary_switches == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    const CpuUsage used = thread_usage() - before;
    EXPECT_GE(used.user + used.system, std::chrono::milliseconds(5));
    EXPECT_GE(used.voluntary_switches, 1U) << "the sleep";
}

TEST(Usage, OfTheProcessHasThatOfItsThreads) {
    const CpuUsage before = process_usage();
    CpuUsage inside;
    std::thread([&inside] {
        while (inside.user + inside.system < std::chrono::milliseconds(20)) {
            inside = thread_usage();
        }
    }).join();
    const CpuUsage used = process_usage() - before;
    EXPECT_GE(used.user + used.system + std::chrono::milliseconds(8), inside.user + inside.system)
        << "the kernel may account a tick late";
}

TEST(Usage, AddsAndSubtracts) {
    const CpuUsage one{.user = Nanos{5}, .system = Nanos{7}, .voluntary_switches = 3, .involuntary_switches = 2};
    const CpuUsage other{.user = Nanos{1}, .system = Nanos{2}, .voluntary_switches = 1, .involuntary_switches = 1};
    EXPECT_EQ((one + other) - other, one);
    EXPECT_EQ((one - other).user, Nanos{4});
}

}  // namespace
}  // namespace groma
