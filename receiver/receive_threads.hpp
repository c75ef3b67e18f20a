// The threads of a receiver: how many, on which cores, how urgent.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "receiver/receiving_run.hpp"

namespace groma {

struct ReceiveThreads {
    unsigned count = 0;           ///< 0: default_receive_threads()
    std::vector<unsigned> pin{};  ///< cores to keep them on, by turns; empty: the kernel chooses
    bool realtime = false;        ///< before everything that is not real time, with memory locked
};

/// How many threads to receive with when nobody says: nobody knows yet what will come, and a thread that gets nothing
/// costs nothing but its queues. One for each core but the one that logs are written on, at least 1, at most 4.
[[nodiscard]] unsigned default_receive_threads(std::size_t cores);

/// Starts them. `say` takes a sentence for each thing that could not be had. Throws: SystemError.
[[nodiscard]] ReceiveWorkers start_receiving(const ReceiveThreads& threads,
                                             const std::function<void(const std::string&)>& say);

}  // namespace groma
