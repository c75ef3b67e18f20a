#include "common/os/usage.hpp"

#include <sys/resource.h>

namespace groma {

namespace {

Nanos span_of(const timeval& time) noexcept {
    return std::chrono::seconds(time.tv_sec) + std::chrono::microseconds(time.tv_usec);
}

CpuUsage usage_of(int who) noexcept {
    rusage usage{};
    if (::getrusage(who, &usage) != 0) {
        return {};
    }
    return {.user = span_of(usage.ru_utime),
            .system = span_of(usage.ru_stime),
            .voluntary_switches = static_cast<std::uint64_t>(usage.ru_nvcsw),
            .involuntary_switches = static_cast<std::uint64_t>(usage.ru_nivcsw)};
}

}  // namespace

CpuUsage process_usage() noexcept {
    return usage_of(RUSAGE_SELF);
}

CpuUsage thread_usage() noexcept {
    return usage_of(RUSAGE_THREAD);
}

CpuUsage operator-(const CpuUsage& after, const CpuUsage& before) noexcept {
    return {.user = after.user - before.user,
            .system = after.system - before.system,
            .voluntary_switches = after.voluntary_switches - before.voluntary_switches,
            .involuntary_switches = after.involuntary_switches - before.involuntary_switches};
}

CpuUsage operator+(const CpuUsage& one, const CpuUsage& other) noexcept {
    return {.user = one.user + other.user,
            .system = one.system + other.system,
            .voluntary_switches = one.voluntary_switches + other.voluntary_switches,
            .involuntary_switches = one.involuntary_switches + other.involuntary_switches};
}

}  // namespace groma
