#include "decoder/follow/growing_log.hpp"

#include <filesystem>
#include <system_error>
#include <utility>

#include "common/log/log_part.hpp"

namespace groma {

std::string current_file(const std::string& log) {
    const std::string name = log_of_part(log);
    std::string part = part_of_log(name);
    std::error_code unknown;
    return std::filesystem::exists(part, unknown) ? part : name;
}

GrowingLog::GrowingLog(std::string file, std::optional<Nanos> patience, Clock& clock)
    : file_(std::move(file)), patience_(patience), clock_(clock), grew_at_(clock.now()) {}

AtEnd GrowingLog::at_end(std::uint64_t bytes, bool complete) {
    const MonoTime now = clock_.now();
    if (bytes != size_) {
        size_ = bytes;
        grew_at_ = now;
    }
    if (complete) {
        return AtEnd::stop;
    }
    if (not being_written()) {
        // It got its name: all is there, and was perhaps not when it was looked at last.
        return std::exchange(closed_, true) or not is_part_of_log(file_) ? AtEnd::stop : AtEnd::read_again;
    }
    return patience_ and now - grew_at_ >= *patience_ ? AtEnd::give_up : AtEnd::wait;
}

/// A log under its name is not, but it may be a copy that grows: if there is patience for that.
bool GrowingLog::being_written() const {
    std::error_code unknown;
    return is_part_of_log(file_) ? std::filesystem::exists(file_, unknown) : patience_.has_value();
}

}  // namespace groma
