#include "common/os/cpu_conditions.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "common/os/temporary_folder.hpp"

namespace groma {
namespace {

/// A root with files of a kernel that is not ours.
class CpuConditionsOf : public testing::Test {
protected:
    void write(const std::string& path, const std::string& text) const {
        std::filesystem::create_directories((root_.path() / path).parent_path());
        std::ofstream(root_.path() / path) << text;
    }
    void core_runs_at(int core, int khz) const {
        write("sys/devices/system/cpu/cpu" + std::to_string(core) + "/cpufreq/scaling_cur_freq",
              std::to_string(khz) + "\n");
    }

    TemporaryFolder root_;
};

TEST_F(CpuConditionsOf, AKernelThatSaysNothingAreZeros) {
    EXPECT_EQ(cpu_conditions(root_.path()), CpuConditions{});
}

TEST_F(CpuConditionsOf, AGroupOfVersion2OrOneAboveItIsStopped) {
    write("proc/self/cgroup", "0::/user/job\n");
    write("sys/fs/cgroup/user/cpu.stat", "usage_usec 5\nnr_periods 30\nnr_throttled 20\nthrottled_usec 1500000\n");
    write("sys/fs/cgroup/user/job/cpu.stat", "nr_throttled 3\nthrottled_usec 700\n");
    EXPECT_EQ(cpu_conditions(root_.path()).throttled_times, 20U);
    EXPECT_EQ(cpu_conditions(root_.path()).throttled, std::chrono::milliseconds(1500));
}

TEST_F(CpuConditionsOf, AGroupOfVersion1CountsNanoseconds) {
    write("proc/self/cgroup", "4:memory:/elsewhere\n3:cpuset:/job\n2:cpu,cpuacct:/job\n0::/\n");
    write("sys/fs/cgroup/cpu,cpuacct/job/cpu.stat", "nr_periods 9\nnr_throttled 7\nthrottled_time 42000\n");
    write("sys/fs/cgroup/cpuset/job/cpu.stat", "nr_throttled 1000\nthrottled_time 99000000\n");
    EXPECT_EQ(cpu_conditions(root_.path()).throttled_times, 7U);
    EXPECT_EQ(cpu_conditions(root_.path()).throttled, Nanos(42'000));
}

TEST_F(CpuConditionsOf, AHypervisorsShareIsTheEighthNumber) {
    write("proc/stat",
          "cpu  1 2 3 4 5 6 7 " + std::to_string(::sysconf(_SC_CLK_TCK)) + " 9 10\ncpu0 1 1 1 1 1 1 1 1\n");
    EXPECT_EQ(cpu_conditions(root_.path()).stolen, std::chrono::seconds(1));
}

TEST_F(CpuConditionsOf, AWatchTellsWhatHappenedSinceItBegan) {
    write("proc/self/cgroup", "0::/job\n");
    write("sys/fs/cgroup/job/cpu.stat", "nr_throttled 10\nthrottled_usec 1000\n");
    core_runs_at(0, 800'000);
    core_runs_at(1, 3'000'000);
    ConditionsWatch watch(root_.path());
    core_runs_at(1, 1'200'000);  // the fastest of them
    EXPECT_EQ(watch.poll().lowest_khz, 1'200'000U);
    core_runs_at(1, 3'400'000);
    write("sys/fs/cgroup/job/cpu.stat", "nr_throttled 12\nthrottled_usec 1500\n");
    EXPECT_EQ(watch.poll(), (CpuConditions{.throttled_times = 2,
                                           .throttled = std::chrono::microseconds(500),
                                           .stolen = Nanos(0),
                                           .lowest_khz = 1'200'000,
                                           .highest_khz = 3'400'000}));
}

TEST_F(CpuConditionsOf, ThisHostCanBeWatched) {
    const CpuConditions now = ConditionsWatch().poll();
    EXPECT_GE(now.throttled, Nanos(0));
    EXPECT_LE(now.lowest_khz, now.highest_khz);
}

}  // namespace
}  // namespace groma
