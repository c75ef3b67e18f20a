#include "common/os/cpu_conditions.hpp"

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

namespace groma {

namespace fs = std::filesystem;

namespace {

constexpr int kStealColumn = 8;  // in the line "cpu" of /proc/stat (proc(5))

struct Throttling {
    std::uint64_t times = 0;
    Nanos stopped{0};
};

/// Parses a file of lines "name number".
std::map<std::string, std::uint64_t> numbers_of(const fs::path& path) {
    std::ifstream file(path);
    std::map<std::string, std::uint64_t> numbers;
    std::string name;
    std::uint64_t number = 0;
    while (file >> name >> number) {
        numbers[name] = number;
    }
    return numbers;
}

Throttling throttling_in(const fs::path& group) {
    std::map<std::string, std::uint64_t> stat = numbers_of(group / "cpu.stat");
    // Version 1 counts nanoseconds, version 2 microseconds.
    return {.times = stat["nr_throttled"],
            .stopped = Nanos(static_cast<std::int64_t>(stat["throttled_time"] + stat["throttled_usec"] * 1000))};
}

/// The most throttled one of this process's group and its ancestors: each has its own quota.
Throttling worst_of(const fs::path& mount, const fs::path& group) {
    Throttling worst;
    fs::path path = mount;
    for (const fs::path& step : group) {
        path = step == "/" ? path : path / step;
        const Throttling here = throttling_in(path);
        worst = here.stopped > worst.stopped ? here : worst;
    }
    return worst;
}

bool names_cpu(std::string_view controllers) {
    std::istringstream list{std::string(controllers)};
    std::string one;
    while (std::getline(list, one, ',')) {
        if (one == "cpu") {
            return true;
        }
    }
    return false;
}

/// Lines of /proc/self/cgroup: "0::/group" (version 2), "1:cpu,cpuacct:/group" (version 1); cgroups(7).
Throttling throttling(const fs::path& root) {
    const fs::path mounts = root / "sys/fs/cgroup";
    std::ifstream file(root / "proc/self/cgroup");
    Throttling worst;
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t first = line.find(':');
        const std::size_t second = first == std::string::npos ? first : line.find(':', first + 1);
        if (second == std::string::npos) {
            continue;
        }
        const std::string controllers = line.substr(first + 1, second - first - 1);
        if (not controllers.empty() and not names_cpu(controllers)) {
            continue;
        }
        const Throttling here = worst_of(controllers.empty() ? mounts : mounts / controllers, line.substr(second + 1));
        worst = here.stopped > worst.stopped ? here : worst;
    }
    return worst;
}

Nanos stolen(const fs::path& root) {
    std::ifstream file(root / "proc/stat");
    std::string name;
    file >> name;
    std::uint64_t ticks = 0;
    for (int column = 1; column <= kStealColumn; ++column) {
        if (not(file >> ticks)) {
            return Nanos(0);
        }
    }
    const long per_second = ::sysconf(_SC_CLK_TCK);
    return per_second <= 0 ? Nanos(0) : Nanos(static_cast<std::int64_t>(ticks) * (1'000'000'000 / per_second));
}

std::uint64_t fastest_khz(const fs::path& root) {
    std::uint64_t fastest = 0;
    std::error_code ignored;
    for (const fs::directory_entry& core : fs::directory_iterator(root / "sys/devices/system/cpu", ignored)) {
        std::ifstream file(core.path() / "cpufreq/scaling_cur_freq");
        std::uint64_t khz = 0;
        if (file >> khz) {
            fastest = std::max(fastest, khz);
        }
    }
    return fastest;
}

}  // namespace

CpuConditions cpu_conditions(const fs::path& root) {
    const Throttling quota = throttling(root);
    const std::uint64_t khz = fastest_khz(root);
    return {.throttled_times = quota.times,
            .throttled = quota.stopped,
            .stolen = stolen(root),
            .lowest_khz = khz,
            .highest_khz = khz};
}

ConditionsWatch::ConditionsWatch(fs::path root)
    : root_(std::move(root)),
      first_(cpu_conditions(root_)),
      lowest_khz_(first_.lowest_khz),
      highest_khz_(first_.highest_khz) {}

CpuConditions ConditionsWatch::poll() {
    const CpuConditions now = cpu_conditions(root_);
    lowest_khz_ = std::min(lowest_khz_, now.lowest_khz);
    highest_khz_ = std::max(highest_khz_, now.highest_khz);
    return {.throttled_times = now.throttled_times - std::min(now.throttled_times, first_.throttled_times),
            .throttled = std::max(Nanos(0), now.throttled - first_.throttled),
            .stolen = std::max(Nanos(0), now.stolen - first_.stolen),
            .lowest_khz = lowest_khz_,
            .highest_khz = highest_khz_};
}

}  // namespace groma
