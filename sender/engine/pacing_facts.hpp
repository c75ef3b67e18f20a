// How the threads that send were run, for the report.
#pragma once

#include <string>
#include <vector>

namespace groma {

struct PacingFacts {
    unsigned threads = 0;                 ///< that sent
    std::vector<unsigned> pinned{};       ///< the cores that they were kept on, by turns; empty: the kernel chose
    bool realtime = false;                ///< all of them, from the first packet to the last
    std::vector<std::string> warnings{};  ///< what was asked for and could not be had, a sentence each
    bool operator==(const PacingFacts&) const = default;
};

}  // namespace groma
