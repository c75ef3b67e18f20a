#include "common/os/scheduling.hpp"

#include <linux/capability.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <memory>
#include <system_error>

namespace groma {

namespace {

/// Below the kernel's usual real-time threads (priority 50, such as those of interrupts), which a sender may need.
constexpr int kPriority = 10;
constexpr std::size_t kMostCores = 8192;
/// The shortest that the kernel grants.
constexpr std::uint64_t kShortestSliceNs = 100'000;

struct FreeCores {
    void operator()(cpu_set_t* set) const noexcept { CPU_FREE(set); }
};
using Cores = std::unique_ptr<cpu_set_t, FreeCores>;

std::string reason(int error) {
    return std::generic_category().message(error);
}

/// Whether the calling thread may do what the capability allows (capabilities(7)).
bool is_capable(unsigned capability) noexcept {
    __user_cap_header_struct header{.version = _LINUX_CAPABILITY_VERSION_3, .pid = 0};
    std::array<__user_cap_data_struct, 2> data{};
    if (::syscall(SYS_capget, &header, data.data()) != 0) {
        return false;
    }
    return (data[capability / 32].effective >> (capability % 32) & 1U) != 0;
}

bool may_be_realtime() noexcept {
    rlimit limit{};
    const bool allowed = ::getrlimit(RLIMIT_RTPRIO, &limit) == 0 and limit.rlim_cur >= rlim_t{kPriority};
    return allowed or is_capable(CAP_SYS_NICE);
}

}  // namespace

std::vector<unsigned> usable_cores() {
    const Cores set(CPU_ALLOC(kMostCores));
    const std::size_t size = CPU_ALLOC_SIZE(kMostCores);
    std::vector<unsigned> cores;
    if (set and ::sched_getaffinity(0, size, set.get()) == 0) {
        for (unsigned core = 0; core < kMostCores; ++core) {
            if (CPU_ISSET_S(core, size, set.get())) {
                cores.push_back(core);
            }
        }
    }
    return cores.empty() ? std::vector<unsigned>{0} : cores;
}

std::string run_on_cores(std::span<const unsigned> cores) {
    const Cores set(CPU_ALLOC(kMostCores));
    const std::size_t size = CPU_ALLOC_SIZE(kMostCores);
    std::string names;
    CPU_ZERO_S(size, set.get());
    for (const unsigned core : cores) {
        names.append(names.empty() ? "" : ",").append(std::to_string(core));
        if (core < kMostCores) {
            CPU_SET_S(core, size, set.get());
        }
    }
    if (::sched_setaffinity(0, size, set.get()) == 0) {
        return {};
    }
    const int error = errno;
    return std::string("cannot run on core ")
        .append(names)
        .append(": ")
        .append(error == EINVAL ? "this process may not use it, or there is none of that number (nproc, taskset -p $$)"
                                : reason(error));
}

std::string become_realtime() {
    const sched_param parameters{.sched_priority = kPriority};
    if (::sched_setscheduler(0, SCHED_FIFO | SCHED_RESET_ON_FORK, &parameters) == 0) {
        return {};
    }
    const int error = errno;
    std::string text = "no real time (SCHED_FIFO): " + reason(error);
    if (error != EPERM) {
        return text;
    }
    return text.append(may_be_realtime()
                           ? "; this control group has no budget for it: give it one (cpu.rt_runtime_us), or run "
                             "outside of the group"
                           : "; run as root, with CAP_SYS_NICE (setcap cap_sys_nice+ep), or with a limit of real-time "
                             "priority (ulimit -r 10, RLIMIT_RTPRIO)");
}

void leave_realtime() noexcept {
    const sched_param parameters{};
    // Without this flag the kernel refuses it to unprivileged threads.
    ::sched_setscheduler(0, SCHED_OTHER | SCHED_RESET_ON_FORK, &parameters);
}

void ask_for_short_slice() noexcept {
    // glibc has no function for it before 2.41; the structure is the first version's (linux/sched/types.h).
    struct Attributes {
        std::uint32_t size;
        std::uint32_t policy;
        std::uint64_t flags;
        std::int32_t nice;
        std::uint32_t priority;
        std::uint64_t runtime_ns;
        std::uint64_t deadline_ns;
        std::uint64_t period_ns;
    };
    Attributes attributes{};
    if (::syscall(SYS_sched_getattr, 0, &attributes, sizeof attributes, 0) != 0 or attributes.policy != SCHED_OTHER) {
        return;
    }
    attributes.size = sizeof attributes;
    attributes.runtime_ns = kShortestSliceNs;
    ::syscall(SYS_sched_setattr, 0, &attributes, 0);
}

void yield_to_others() noexcept {
    const sched_param parameters{};
    ::sched_setscheduler(0, SCHED_BATCH, &parameters);
}

std::string lock_memory() {
    if (::mlockall(MCL_CURRENT) == 0) {
        return {};
    }
    const int error = errno;
    return std::string("memory could not be locked in RAM: ")
        .append(reason(error))
        .append("; run as root, with CAP_IPC_LOCK, or with a larger limit (ulimit -l unlimited, RLIMIT_MEMLOCK)");
}

}  // namespace groma
