// Names of this host and this boot, and random ids.
#pragma once

#include <string>

namespace groma {

/// The kernel's name for this host (UTS name of the namespace).
[[nodiscard]] std::string host_name();

/// Identifies this boot of this kernel (/proc/sys/kernel/random/boot_id); empty if it cannot be read. Programs with
/// equal boot ids share a clock.
[[nodiscard]] std::string boot_id();

/// A fresh random 128-bit number as 32 hex digits, and a fresh seed. Throws: SystemError.
[[nodiscard]] std::string random_id();
[[nodiscard]] unsigned long long random_seed();

}  // namespace groma
