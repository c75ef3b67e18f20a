#include "common/os/awake_cores.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <system_error>

namespace groma {

AwakeCores::AwakeCores() : device_(::open("/dev/cpu_dma_latency", O_WRONLY | O_CLOEXEC)) {
    const std::int32_t longest_us = 0;  // longest time to leave an idle state
    if (device_.valid() and ::write(device_.get(), &longest_us, sizeof longest_us) == sizeof longest_us) {
        return;
    }
    refusal_ = std::string("idle cores may sleep, and take time to wake (/dev/cpu_dma_latency: ")
                   .append(std::generic_category().message(errno))
                   .append("); run as root, or let this user write to it");
}

}  // namespace groma
