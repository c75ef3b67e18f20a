#include "common/shipping/shipper/log_outcomes.hpp"

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

void LogOutcomes::add(LogId log, KeptLog& kept, std::uint64_t connections, MonoTime now) {
    Outcome& added = logs_[log];
    added.kept = &kept;
    added.progress = now;
    added.connections_before = connections;
}

LogOutcomes::Change LogOutcomes::take(const LogNews& news, MonoTime now) {
    const auto found = logs_.find(news.log);
    if (found == logs_.end()) {
        return {};
    }
    Outcome& log = found->second;
    Change change;
    switch (news.kind) {
        case LogNews::Kind::opened:
            change.progress = take_opened(log, news.pieces);
            break;
        case LogNews::Kind::durable:
            change.progress = take_durable(log, news.pieces);
            break;
        case LogNews::Kind::held:
            log.held = true;
            log.held_because = news.reason;
            change.held = true;
            break;
        case LogNews::Kind::going_on:
            change.progress = go_on(log);
            break;
        case LogNews::Kind::put_off:
            change.held = put_off(log, news.reason);
            break;
        case LogNews::Kind::closed:
            (void)take_durable(log, news.pieces);
            log.over = true;
            change.progress = true;
            break;
        case LogNews::Kind::refused:
            fail(log, std::make_exception_ptr(ProtocolError(peer_, news.reason)));
            break;
    }
    if (change.progress) {
        progress(log, now);
    }
    // An opened log may still be held: the hold follows.
    change.none_held = news.kind != LogNews::Kind::opened and none_held();
    return change;
}

bool LogOutcomes::take_opened(Outcome& log, std::uint64_t pieces) {
    log.held = false;
    log.put_off_because.clear();
    log.kept->sent(pieces);
    // A server that opens a log repeatedly without storing more of it makes no progress.
    const bool is_progress = not std::exchange(log.opened, true) or pieces > log.furthest;
    if (is_progress) {
        log.furthest = pieces;
    }
    return is_progress;
}

bool LogOutcomes::take_durable(Outcome& log, std::uint64_t pieces) {
    log.kept->confirmed(pieces);
    const bool is_progress = pieces > log.furthest;
    log.furthest = std::max(log.furthest, pieces);
    return is_progress;
}

bool LogOutcomes::go_on(Outcome& log) {
    log.held = false;
    // A server that resumes a log repeatedly without storing more of it makes no progress.
    return std::exchange(log.resumed_at, log.furthest) != log.furthest;
}

bool LogOutcomes::put_off(Outcome& log, const std::string& reason) const {
    if (not log.opened) {
        fail(log, std::make_exception_ptr(ProtocolError(peer_, reason)));
        return false;
    }
    log.put_off_because = reason;
    log.held_because = reason;
    return true;
}

bool LogOutcomes::none_held() const {
    return std::ranges::none_of(logs_, [](const auto& entry) {
        const Outcome& log = entry.second;
        return not log.failure and (log.held or not log.put_off_because.empty());
    });
}

void LogOutcomes::progress(LogId log, MonoTime now) {
    progress(logs_.at(log), now);
}

void LogOutcomes::progress(Outcome& log, MonoTime now) {
    log.progress = now;
    for (auto& [id, other] : logs_) {
        if (not other.held) {
            other.progress = now;
        }
    }
}

void LogOutcomes::fail(LogId log, const std::exception_ptr& why) {
    fail(logs_.at(log), why);
}

void LogOutcomes::fail(Outcome& log, const std::exception_ptr& why) {
    if (log.over or log.failure) {
        return;
    }
    log.failure = why;
    try {
        std::rethrow_exception(log.failure);
    } catch (const std::exception& error) {
        log.kept->let_go(error.what());
    }
}

std::vector<LogId> LogOutcomes::fail_logs(const std::exception_ptr& why, bool all) {
    std::vector<LogId> failed;
    for (auto& [id, log] : logs_) {
        if (all or not log.opened) {
            fail(log, why);
            failed.push_back(id);
        }
    }
    return failed;
}

std::string LogOutcomes::why_not(LogId id) const {
    const Outcome& log = logs_.at(id);
    return log.held ? "it takes nothing for now (" + log.held_because + ")" : log.put_off_because;
}

}  // namespace groma
