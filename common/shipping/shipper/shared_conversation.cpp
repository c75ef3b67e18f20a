#include "common/shipping/shipper/shared_conversation.hpp"

#include <algorithm>
#include <cerrno>

#include "common/base/errors.hpp"
#include "common/os/host.hpp"

namespace groma {

namespace {

constexpr Nanos kPollInterval = std::chrono::milliseconds(500);

std::string seconds_of(Nanos span) {
    return std::to_string(std::chrono::round<std::chrono::seconds>(span).count()) + " s";
}

}  // namespace

SharedConversation::SharedConversation(const ShippingSettings& settings, Clock& clock)
    : settings_(settings),
      clock_(clock),
      conversation_(settings.peer, settings.node),
      logs_(settings.peer),
      warnings_(settings.peer, not settings.spool.empty()),
      back_off_(settings.limits.times.first_pause, settings.limits.times.longest_pause),
      random_(random_seed()) {}

LogId SharedConversation::add(LogToShip log, KeptLog& kept) {
    const std::scoped_lock lock(mutex_);
    const LogId id = conversation_.add(std::move(log));
    logs_.add(id, kept, state_.connections, clock_.now());
    try_again_ = {};
    wake_.notify();
    return id;
}

void SharedConversation::await_opened(LogId id) {
    std::unique_lock lock(mutex_);
    const LogOutcomes::Outcome& log = logs_.of(id);
    const MonoTime deadline = clock_.now() + settings_.limits.times.opening;
    while (not log.opened and not log.failure) {
        if (clock_.now() >= deadline) {
            throw SystemError("open a log at the " + settings_.peer, ETIMEDOUT,
                              "something listens there, but it does not answer");
        }
        changed_.wait_for(lock, kPollInterval);
    }
    if (log.failure) {
        std::rethrow_exception(log.failure);
    }
}

void SharedConversation::handed(LogId id, std::uint64_t pieces) {
    const std::scoped_lock lock(mutex_);
    if (not conversation_.needs_connection()) {
        last_life_ = clock_.now();
    }
    conversation_.handed(id, pieces);
    if (const std::string why = logs_.of(id).kept->spool_shortage(); not why.empty()) {
        warning(warnings_.spool_full(why));
    }
    wake_.notify();
}

void SharedConversation::end(LogId id, LogEnding ending) {
    const std::scoped_lock lock(mutex_);
    conversation_.end(id, std::move(ending));
    wake_.notify();
}

void SharedConversation::await_end(LogId id, Nanos patience) {
    std::unique_lock lock(mutex_);
    const LogOutcomes::Outcome& log = logs_.of(id);
    logs_.progress(id, clock_.now());
    made_progress();
    while (not log.over and not log.failure) {
        if (clock_.now() - log.progress > patience) {
            std::string why = logs_.why_not(id);
            why = why.empty() ? state_.error : why;
            throw RunError("the " + settings_.peer + " did not confirm it for " + seconds_of(patience) +
                           (why.empty() ? "" : ": " + why));
        }
        if (clock_.now() >= settings_.until) {
            throw RunError("the " + settings_.peer + " has not confirmed all of it yet");
        }
        changed_.wait_for(lock, std::min(kPollInterval, patience));
    }
    if (log.failure) {
        std::rethrow_exception(log.failure);
    }
}

void SharedConversation::forget(LogId id) {
    const std::scoped_lock lock(mutex_);
    conversation_.forget(id);
    logs_.forget(id);
}

void SharedConversation::stop_logs() {
    fail_logs(std::make_exception_ptr(RunError("the program was stopped")), true);
}

ShippingState SharedConversation::state() const {
    const std::scoped_lock lock(mutex_);
    return state_;
}

std::pair<std::string, std::uint64_t> SharedConversation::errors(LogId id) const {
    const std::scoped_lock lock(mutex_);
    const LogOutcomes::Outcome& log = logs_.of(id);
    // The connection that it was opened on may have been made for it.
    const std::uint64_t made = state_.connections - log.connections_before;
    const std::uint64_t first = log.connections_before == 0 ? 1 : 0;
    return {log.held_because, made > first ? made - first : 0};
}

MonoTime SharedConversation::connect_at() const {
    const std::scoped_lock lock(mutex_);
    return conversation_.needs_connection() ? try_again_ : MonoTime::max();
}

void SharedConversation::connected() {
    const std::scoped_lock lock(mutex_);
    conversation_.connected();
    ++state_.connections;
    state_.connected = true;
    last_life_ = clock_.now();
    warning(warnings_.connected());
}

MonoTime SharedConversation::converse(ShippingLink& link) {
    const std::scoped_lock lock(mutex_);
    listen(link);
    speak(link);
    const Nanos silence = settings_.limits.times.silence;
    if (clock_.now() - last_life_ > silence) {
        throw SystemError("hear from the " + settings_.peer, ETIMEDOUT, "nothing came for " + seconds_of(silence));
    }
    return std::min(conversation_.next_deadline(), last_life_ + silence + kPollInterval);
}

void SharedConversation::listen(ShippingLink& link) {
    const MonoTime now = clock_.now();
    while (const auto frame = link.next()) {
        last_life_ = now;
        for (const LogNews& news : conversation_.hear(*frame, now)) {
            take(news);
        }
    }
}

void SharedConversation::speak(ShippingLink& link) {
    while (const auto due = conversation_.next(clock_.now())) {
        if (not say(link, *due)) {
            return;
        }
    }
}

bool SharedConversation::say(ShippingLink& link, const FrameDue& due) {
    std::vector<std::byte> bytes;
    const auto* piece = std::get_if<PieceDue>(&due);
    if (piece == nullptr) {
        bytes = serialize(std::get<LogFrame>(due));
    } else {
        try {
            logs_.of(piece->log).kept->read(piece->piece, piece_);
        } catch (const std::exception&) {
            logs_.fail(piece->log, std::current_exception());
            changed_.notify_all();
            conversation_.forget(piece->log);
            return true;
        }
        bytes = serialize(LogPiece{piece->number_of_log, piece->piece, piece_});
    }
    if (not link.send(bytes)) {
        return false;
    }
    last_life_ = clock_.now();
    conversation_.sent();
    if (piece != nullptr) {
        logs_.of(piece->log).kept->sent(piece->piece + 1);
    }
    return true;
}

void SharedConversation::take(const LogNews& news) {
    const LogOutcomes::Change change = logs_.take(news, clock_.now());
    if (change.progress) {
        made_progress();
    }
    changed_.notify_all();
    if (change.held) {
        warning(warnings_.held(news.reason));
    }
    if (change.none_held) {
        warning(warnings_.going_on());
    }
}

void SharedConversation::made_progress() {
    back_off_.reset();
    changed_.notify_all();
}

void SharedConversation::lost(const std::string& why) {
    const std::scoped_lock lock(mutex_);
    if (not state_.connected) {
        ++state_.failed_attempts;
    }
    if (conversation_.needs_connection() and state_.connections > 0) {
        warning(warnings_.lost(why));
    }
    if (conversation_.needs_connection() or not state_.connected) {
        state_.error = why;
    }
    state_.connected = false;
    try_again_ = clock_.now() + back_off_.next(std::uniform_real_distribution<>(0, 1)(random_));
}

void SharedConversation::fail_logs(std::exception_ptr why, bool all) {
    const std::scoped_lock lock(mutex_);
    for (const LogId id : logs_.fail_logs(why, all)) {
        conversation_.forget(id);
    }
    changed_.notify_all();
    why = nullptr;  // a waiting thread destroys the exception, not this one
}

void SharedConversation::warning(std::string sentence) {
    if (not sentence.empty()) {
        sentence = warning_limit_.take(std::move(sentence), clock_.now());
    }
    if (not sentence.empty()) {
        pending_warnings_.push_back(std::move(sentence));
    }
}

std::vector<std::string> SharedConversation::take_warnings(bool is_end) {
    const std::scoped_lock lock(mutex_);
    const MonoTime now = clock_.now();
    if (std::string kept = is_end ? warning_limit_.rest(now) : warning_limit_.due(now); not kept.empty()) {
        pending_warnings_.push_back(std::move(kept));
    }
    return std::exchange(pending_warnings_, {});
}

}  // namespace groma
