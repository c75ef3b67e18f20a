// Describes this machine, for readers of measurements made on it.
#pragma once

#include <string>

namespace groma {

/// Texts from the kernel; empty where it has none.
struct Machine {
    std::string kernel;        ///< "Linux 6.1.0-18-amd64 x86_64"
    std::string cpu;           ///< "AMD EPYC 7B13"
    std::string cores;         ///< "2": usable by this process
    std::string governor;      ///< of the first core's frequency: "performance"
    std::string clock_source;  ///< "tsc"
    bool operator==(const Machine&) const = default;
};

[[nodiscard]] Machine this_machine();

}  // namespace groma
