// The logs that a program has written under each key, so that its limit holds for them together
// (docs/guide/keys.md#limits).
#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "common/access/access_key.hpp"
#include "common/log/log_sink.hpp"

namespace groma {

/// Counts what this program writes: while it is written, and as long as its file is there. Thread: any.
class KeyLogs {
public:
    /// The log, as long as it may become beside the others under keys of that name. append() throws RunError for the
    /// first piece for which there is no room. From then on it takes nothing, and close() throws as well: the log stays
    /// as incomplete as a full disk leaves it. `file`: its name on this host, which is no log of another key any more;
    /// empty: it is not here. `key`: nothing: none, and no limit.
    [[nodiscard]] std::unique_ptr<LogSink> within_limits(std::unique_ptr<LogSink> log,
                                                         const std::filesystem::path& file,
                                                         const std::optional<Grant>& key);

private:
    class Logs;
    class LimitedLog;

    std::mutex mutex_;                                   ///< guards logs_
    std::map<std::string, std::shared_ptr<Logs>> logs_;  ///< by the key's name
};

}  // namespace groma
