#include "common/shipping/shipper/key_limits.hpp"

#include <utility>

#include "common/log/limited_sink.hpp"

namespace groma {

std::unique_ptr<LogSink> within_limits(std::unique_ptr<LogSink> file, const std::optional<Grant>& key) {
    if (not key or not key->limits.log_bytes) {
        return file;
    }
    return limited_sink(std::move(file), key->limits.log_bytes->count,
                        [grant = *key](std::uint64_t bytes) { return fullness_in_words(grant, Bytes{bytes}); });
}

std::optional<SpoolLimit> spool_limit(const std::optional<Grant>& key) {
    if (not key or not key->limits.spool_bytes) {
        return std::nullopt;
    }
    return SpoolLimit{.bytes = key->limits.spool_bytes->count, .why = spool_fullness_in_words(*key)};
}

}  // namespace groma
