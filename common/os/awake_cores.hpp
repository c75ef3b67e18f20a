// Keeps idle cores awake, so that a sleep ends when it is to end and not when the core has got up.
#pragma once

#include <string>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// While it lives, the cores of this host that have nothing to do wait in a loop instead of an idle state that takes
/// time to leave (PM QoS, /dev/cpu_dma_latency). They cost power then, but run whatever comes at once. The kernel
/// forgets it with the process, however that ends.
class AwakeCores {
public:
    AwakeCores();

    /// Why it could not be had; empty: it was.
    [[nodiscard]] const std::string& refusal() const { return refusal_; }

private:
    FileDescriptor device_;
    std::string refusal_;
};

}  // namespace groma
