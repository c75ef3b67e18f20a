// The threads of a receiver: number, cores and priority.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "common/os/scheduling.hpp"
#include "receiver/receiving_run.hpp"

namespace groma {

struct ReceiveThreads {
    unsigned count = 0;                 ///< 0: default_receive_threads()
    std::vector<unsigned> pin{};        ///< their cores, assigned round robin; empty: the kernel chooses
    Realtime realtime = Realtime::off;  ///< real-time priority and locked memory
};

/// The default number of receiving threads: cores minus one for writing logs, at least 1, at most 4. The load is
/// unknown at the start, and an idle thread costs only its queues.
[[nodiscard]] unsigned default_receive_threads(std::size_t cores);

/// Starts the threads. `say` takes a sentence for each unavailable setting. Throws: SystemError.
[[nodiscard]] ReceiveWorkers start_receiving(const ReceiveThreads& threads,
                                             const std::function<void(const std::string&)>& say);

}  // namespace groma
