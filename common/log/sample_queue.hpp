// Queues samples of connections for the thread that writes the log. Thread: any; takes a lock, so not for the packet
// path.
#pragma once

#include <cstdint>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "common/base/ids.hpp"
#include "common/log/log_writer.hpp"
#include "common/log/run_metadata.hpp"
#include "common/wire/records.hpp"

namespace groma {

class SampleQueue {
public:
    /// Drops and counts the sample if the queue is full.
    void push(FlowId flow, const ConnectionSample& sample);

    /// Writes all queued samples. Returns: whether there were any. Throws: what the writer throws.
    bool drain_to(LogWriter& log);

    [[nodiscard]] std::uint64_t lost() const;

private:
    /// How far a slow log may fall behind: some 10 MiB.
    static constexpr std::size_t kMost = 65536;

    mutable std::mutex mutex_;
    std::map<FlowId, std::vector<ConnectionSample>> samples_;
    std::size_t held_ = 0;
    std::uint64_t lost_ = 0;
};

/// The log's event for lost samples.
[[nodiscard]] LogEvent samples_lost(std::uint64_t count, WallTime at);

}  // namespace groma
