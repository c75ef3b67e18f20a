#include "receiver/left_logs.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace groma {

void LeftLogs::leave(const Token& token, std::unique_ptr<OfferedLog> log, const std::string& peer, MonoTime now) {
    forget_old(now);
    if (logs_.size() == kMost) {
        make_room();
    }
    logs_.push_back({.token = token, .log = std::move(log), .peer = peer, .end = now + patience_});
}

std::unique_ptr<OfferedLog> LeftLogs::take(const Token& token, const std::optional<Grant>& grant, MonoTime now) {
    forget_old(now);
    const auto found = std::ranges::find_if(
        logs_, [&](const LeftLog& one) { return same_token(one.token, token) and one.log->is_for(grant); });
    if (found == logs_.end()) {
        return nullptr;
    }
    std::unique_ptr<OfferedLog> log = std::move(found->log);
    logs_.erase(found);
    log->rewind();
    return log;
}

void LeftLogs::make_room() {
    std::map<std::string, std::size_t> of_peer;
    for (const LeftLog& one : logs_) {
        ++of_peer[one.peer];
    }
    const auto most = std::ranges::max_element(of_peer, {}, [](const auto& entry) { return entry.second; });
    logs_.erase(std::ranges::find(logs_, most->first, &LeftLog::peer));
}

void LeftLogs::forget_old(MonoTime now) {
    std::erase_if(logs_, [now](const LeftLog& one) { return now >= one.end; });
}

}  // namespace groma
