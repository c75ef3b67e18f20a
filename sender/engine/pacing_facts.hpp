// How the sending threads ran, for the report.
#pragma once

#include <string>
#include <vector>

namespace groma {

struct PacingFacts {
    unsigned threads = 0;                 ///< sending threads
    std::vector<unsigned> pinned{};       ///< their cores, assigned round robin; empty: the kernel chose
    bool realtime = false;                ///< all threads, for all packets
    std::vector<std::string> warnings{};  ///< requested settings that were unavailable, a sentence each
    bool operator==(const PacingFacts&) const = default;
};

}  // namespace groma
