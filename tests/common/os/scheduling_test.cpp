#include "common/os/scheduling.hpp"

#include <gmock/gmock.h>
#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <functional>
#include <thread>

namespace groma {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

/// Changes belong to a thread, and end with it.
void on_a_thread(const std::function<void()>& work) {
    std::thread(work).join();
}

/// The calling thread loses root's rights for scheduling.
void drop_capabilities() {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    std::array<__user_cap_data_struct, 2> none{};
    ASSERT_EQ(::syscall(SYS_capset, &header, none.data()), 0);
}

TEST(Scheduling, ThereIsAtLeastOneCoreAndTheyRise) {
    const std::vector<unsigned> cores = usable_cores();
    ASSERT_FALSE(cores.empty());
    EXPECT_TRUE(std::is_sorted(cores.begin(), cores.end()));
}

TEST(Scheduling, AThreadRunsOnTheCoreItIsGivenAndSoDoThreadsThatItStarts) {
    const unsigned core = usable_cores().back();
    on_a_thread([core] {
        EXPECT_THAT(run_on_cores(std::vector{core}), IsEmpty());
        EXPECT_EQ(::sched_getcpu(), static_cast<int>(core));
        EXPECT_EQ(usable_cores(), std::vector{core});
        on_a_thread([core] { EXPECT_EQ(usable_cores(), std::vector{core}); });
    });
}

TEST(Scheduling, ACoreThatIsNotThereIsASentenceAndChangesNothing) {
    on_a_thread([] {
        const std::vector<unsigned> before = usable_cores();
        EXPECT_THAT(run_on_cores(std::vector{100'000U}), HasSubstr("core 100000"));
        EXPECT_EQ(usable_cores(), before);
    });
}

TEST(Scheduling, RealTimeIsHadOrTheReasonSaid) {
    on_a_thread([] {
        const std::string refusal = become_realtime();
        EXPECT_EQ((::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO, refusal.empty()) << refusal;
        leave_realtime();
        EXPECT_EQ(::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK, SCHED_OTHER);
    });
}

TEST(Scheduling, WhoMayNotHaveRealTimeIsToldWhatToAskFor) {
    on_a_thread([] {
        drop_capabilities();
        rlimit limit{};
        ASSERT_EQ(::getrlimit(RLIMIT_RTPRIO, &limit), 0);
        const rlimit none{.rlim_cur = 0, .rlim_max = limit.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_RTPRIO, &none), 0);
        const std::string refusal = become_realtime();
        ::setrlimit(RLIMIT_RTPRIO, &limit);
        EXPECT_THAT(refusal, HasSubstr("CAP_SYS_NICE"));
        EXPECT_THAT(refusal, HasSubstr("RLIMIT_RTPRIO"));
    });
}

TEST(Scheduling, AShortSliceLeavesAThreadOrdinaryAndRealTimeUntouched) {
    on_a_thread([] {
        ask_for_short_slice();
        EXPECT_EQ(::sched_getscheduler(0), SCHED_OTHER);
    });
    on_a_thread([] {
        if (become_realtime().empty()) {
            ask_for_short_slice();
            EXPECT_EQ(::sched_getscheduler(0) & ~SCHED_RESET_ON_FORK, SCHED_FIFO);
        }
    });
}

TEST(Scheduling, AThreadWithTimeYieldsToOthers) {
    on_a_thread([] {
        yield_to_others();
        EXPECT_EQ(::sched_getscheduler(0), SCHED_BATCH);
    });
}

// The runtimes of the sanitizers replace mlockall(2) by an empty function: the release build runs it.
#ifndef GROMA_SANITIZED
TEST(Scheduling, WhoMayNotLockMemoryIsToldWhatToAskFor) {
    on_a_thread([] {
        drop_capabilities();
        rlimit limit{};
        ASSERT_EQ(::getrlimit(RLIMIT_MEMLOCK, &limit), 0);
        const rlimit none{.rlim_cur = 0, .rlim_max = limit.rlim_max};
        ASSERT_EQ(::setrlimit(RLIMIT_MEMLOCK, &none), 0);
        const std::string refusal = lock_memory();
        ::setrlimit(RLIMIT_MEMLOCK, &limit);
        EXPECT_THAT(refusal, HasSubstr("RLIMIT_MEMLOCK"));
    });
}
#endif

}  // namespace
}  // namespace groma
