// What the limits of a key mean for a log that a host writes for it (docs/guide/keys.md#limits).
#pragma once

#include <memory>
#include <optional>

#include "common/access/access_key.hpp"
#include "common/log/log_sink.hpp"
#include "common/shipping/spool/spool_budget.hpp"

namespace groma {

/// A log on this host's disk, as long as the key lets it become. `key`: nothing: none, and no limit.
[[nodiscard]] std::unique_ptr<LogSink> within_limits(std::unique_ptr<LogSink> file, const std::optional<Grant>& key);

/// Of the log's spool; nothing: the key has none.
[[nodiscard]] std::optional<SpoolLimit> spool_limit(const std::optional<Grant>& key);

}  // namespace groma
