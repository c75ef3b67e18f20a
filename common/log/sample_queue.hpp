// Samples of connections on their way to the thread that writes the log. Thread: any; takes a lock, which is why
// nothing of the packet path uses it.
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
    /// What finds no room is lost, and counted.
    void push(FlowId flow, const ConnectionSample& sample);

    /// Hands over all that are queued. Returns: whether there were any. Throws: what the writer throws.
    bool drain_to(LogWriter& log);

    [[nodiscard]] std::uint64_t lost() const;

private:
    /// A slow log may fall behind by so many: some 10 MiB.
    static constexpr std::size_t kMost = 65536;

    mutable std::mutex mutex_;
    std::map<FlowId, std::vector<ConnectionSample>> samples_;
    std::size_t held_ = 0;
    std::uint64_t lost_ = 0;
};

/// What the log says of it.
[[nodiscard]] LogEvent samples_lost(std::uint64_t count, WallTime at);

}  // namespace groma
