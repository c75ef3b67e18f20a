#include "common/os/machine.hpp"

#include <sched.h>
#include <sys/utsname.h>

#include <fstream>

namespace groma {

namespace {

std::string first_line(const char* path) {
    std::ifstream file(path);
    std::string line;
    std::getline(file, line);
    return line;
}

std::string kernel() {
    utsname names{};
    if (::uname(&names) != 0) {
        return {};
    }
    return std::string(names.sysname).append(" ").append(names.release).append(" ").append(names.machine);
}

/// "model name" of /proc/cpuinfo; ARM has none.
std::string cpu() {
    std::ifstream file("/proc/cpuinfo");
    std::string line;
    while (std::getline(file, line)) {
        const std::size_t colon = line.find(": ");
        if (line.starts_with("model name") and colon != std::string::npos) {
            return line.substr(colon + 2);
        }
    }
    return {};
}

std::string cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    return ::sched_getaffinity(0, sizeof set, &set) == 0 ? std::to_string(CPU_COUNT(&set)) : std::string();
}

}  // namespace

Machine this_machine() {
    return {.kernel = kernel(),
            .cpu = cpu(),
            .cores = cores(),
            .governor = first_line("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor"),
            .clock_source = first_line("/sys/devices/system/clocksource/clocksource0/current_clocksource")};
}

}  // namespace groma
