// What kind of machine this is, for whoever reads a measurement that was made on it.
#pragma once

#include <string>

namespace groma {

/// Texts as the kernel has them; empty where it does not say.
struct Machine {
    std::string kernel;        ///< "Linux 6.1.0-18-amd64 x86_64"
    std::string cpu;           ///< "AMD EPYC 7B13"
    std::string cores;         ///< "2": those that this process may use
    std::string governor;      ///< of the first core's frequency: "performance"
    std::string clock_source;  ///< "tsc"
    bool operator==(const Machine&) const = default;
};

[[nodiscard]] Machine this_machine();

}  // namespace groma
