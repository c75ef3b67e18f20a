// Keeps idle cores awake, so that sleeps end on time and not when the core has woken up.
#pragma once

#include <string>

#include "common/os/file_descriptor.hpp"

namespace groma {

/// While it lives, this host's idle cores wait in a loop instead of in an idle state that takes time to leave (PM QoS,
/// /dev/cpu_dma_latency). This costs power. The kernel undoes it when the process ends, however it ends.
class AwakeCores {
public:
    AwakeCores();

    /// Why it failed; empty: it worked.
    [[nodiscard]] const std::string& refusal() const { return refusal_; }

private:
    FileDescriptor device_;
    std::string refusal_;
};

}  // namespace groma
