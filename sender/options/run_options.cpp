#include "sender/options/run_options.hpp"

#include <chrono>

#include "common/base/errors.hpp"
#include "common/log/log_name.hpp"
#include "common/model/text/quantity_text.hpp"

namespace groma {

namespace {

constexpr Nanos kLongestWait = std::chrono::seconds(60);
constexpr Nanos kShortestInterval = std::chrono::milliseconds(100);
constexpr Nanos kLongestInterval = std::chrono::hours(1);
constexpr Nanos kShortestHold = std::chrono::seconds(1);
constexpr Nanos kLongestHold = std::chrono::hours(24);

}  // namespace

Nanos parse_wait(std::string_view text) {
    const Nanos wait = parse_duration(text);
    if (wait < Nanos(0) or wait > kLongestWait) {
        throw UsageError("'" + std::string(text) + "' is out of range: use a time from 0s to 60s");
    }
    return wait;
}

Nanos parse_interval(std::string_view text) {
    const Nanos interval = parse_duration(text);
    if (interval < kShortestInterval or interval > kLongestInterval) {
        throw UsageError("'" + std::string(text) + "' is out of range: use a time from 100ms to 1h");
    }
    return interval;
}

Nanos parse_web_hold(std::string_view text) {
    const Nanos hold = parse_duration(text);
    if (hold < kShortestHold or hold > kLongestHold) {
        throw UsageError("'" + std::string(text) + "' is out of range: use a time from 1s to 24h");
    }
    return hold;
}

std::string parse_name(std::string_view text) {
    const std::string error = log_name_error(text);
    if (not error.empty()) {
        throw UsageError("'" + std::string(text) + "' " + error + ": logs and folders are named after it");
    }
    return std::string(text);
}

void refuse_value_in_place_of_file(const CommandLine& line, UsageErrors& errors) {
    const bool said = line.words().size() > 1;  // already reported as an extra word
    if (said or not find_detached_values(line.detached_values(), "not an experiment file", is_there, errors)) {
        errors.throw_if_any();
    }
}

}  // namespace groma
