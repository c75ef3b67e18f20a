#include "logserver/store/reopened_logs.hpp"

#include <algorithm>
#include <utility>

namespace groma {

namespace {

constexpr std::size_t kMostLogs = 1024;
constexpr Nanos kKept = std::chrono::minutes(5);

}  // namespace

std::optional<LogFile> ReopenedLogs::open(const LogClaim& claim, const std::filesystem::path& file, std::uint64_t bytes,
                                          RemoteWriter& writer, MonoTime now, Admission::Slot& slot) {
    const auto known = std::ranges::find(logs_, file, [](const ReopenedLog& log) { return log.file.file(); });
    if (known == logs_.end()) {
        if (logs_.size() == kMostLogs) {
            throw LogRefusal("as many logs as this server reads again at a time are being read (" +
                                 std::to_string(kMostLogs) + "); try again",
                             LogRefusal::Until::later);
        }
        logs_.push_back({claim, LogFile(file, bytes), &writer, {}, now, std::move(slot)});
        return std::nullopt;
    }
    known->claim = claim;
    known->wanted_at = now;
    if (RemoteWriter* const before = std::exchange(known->writer, &writer); before != nullptr and before != &writer) {
        before->taken_over();
    }
    if (is_in_slice(*known) or not known->file.is_read()) {
        known->slot = std::move(slot);
        return std::nullopt;
    }
    return take(known).file;
}

ReopenedLog ReopenedLogs::take(Place log) {
    ReopenedLog taken = std::move(*log);
    logs_.erase(log);
    return taken;
}

void ReopenedLogs::leave(const RemoteWriter& writer, MonoTime now) noexcept {
    const auto log = std::ranges::find(logs_, &writer, &ReopenedLog::writer);
    if (log != logs_.end()) {
        log->writer = nullptr;
        log->slot.reset();
        log->wanted_at = now;
    }
}

std::function<void()> ReopenedLogs::begin_slice() {
    const auto log = std::ranges::find_if(logs_, [](const ReopenedLog& each) { return not each.file.is_read(); });
    if (log == logs_.end()) {
        return {};
    }
    in_slice_ = &*log;
    return [log = in_slice_] {
        try {
            log->file.read_on();
        } catch (const std::exception& error) {
            log->error = error.what();
        }
    };
}

std::optional<ReopenedLog> ReopenedLogs::end_slice() {
    const auto log = std::ranges::find_if(logs_, [this](const ReopenedLog& each) { return is_in_slice(each); });
    in_slice_ = nullptr;
    logs_.splice(logs_.end(), logs_, log);
    if (log->error.empty() and not log->file.is_read()) {
        return std::nullopt;
    }
    if (log->writer != nullptr) {
        return take(log);
    }
    if (not log->error.empty()) {
        logs_.erase(log);
    }
    return std::nullopt;
}

std::size_t ReopenedLogs::awaited() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(logs_, [](const ReopenedLog& log) { return log.writer != nullptr; }));
}

void ReopenedLogs::drop_unwanted(MonoTime now) {
    std::erase_if(logs_, [&](const ReopenedLog& log) {
        return log.writer == nullptr and now - log.wanted_at > kKept and not is_in_slice(log);
    });
}

}  // namespace groma
