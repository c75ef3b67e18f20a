#include "common/shipping/shipper/shipping_thread.hpp"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"
#include "common/os/host.hpp"
#include "common/os/process.hpp"

namespace groma {

namespace {

constexpr Nanos kLook = std::chrono::milliseconds(500);

void sleep_on(int wake_fd, Nanos limit) {
    pollfd entry{.fd = wake_fd, .events = POLLIN, .revents = 0};
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
    ::poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(milliseconds, 0, 60'000)));
}

std::string seconds_of(Nanos span) {
    return std::to_string(std::chrono::round<std::chrono::seconds>(span).count()) + " s";
}

}  // namespace

ShippingThread::ShippingThread(const ShippingSettings& settings, Clock& clock)
    : settings_(settings),
      clock_(clock),
      conversation_(settings.peer, settings.node),
      warnings_(settings.peer, not settings.spool.empty()),
      back_off_(settings.limits.times.first_pause, settings.limits.times.longest_pause),
      random_(random_seed()),
      thread_([this] { run(); }) {}

ShippingThread::~ShippingThread() {
    stopping_ = true;
    wake_.notify();
    thread_.join();
}

LogId ShippingThread::add(LogToShip log, KeptLog& kept) {
    const std::scoped_lock lock(mutex_);
    const LogId id = conversation_.add(std::move(log));
    Shipped& added = logs_[id];
    added.kept = &kept;
    added.progress = clock_.now();
    added.connections_before = state_.connections;
    try_again_ = {};
    wake_.notify();
    return id;
}

void ShippingThread::await_opened(LogId id) {
    std::unique_lock lock(mutex_);
    const Shipped& log = logs_.at(id);
    const MonoTime deadline = clock_.now() + settings_.limits.times.opening;
    while (not log.opened and not log.failure) {
        if (clock_.now() >= deadline) {
            throw SystemError("open a log at the " + settings_.peer, ETIMEDOUT,
                              "something listens there, but it does not answer");
        }
        changed_.wait_for(lock, kLook);
    }
    if (log.failure) {
        std::rethrow_exception(log.failure);
    }
}

void ShippingThread::handed(LogId id, std::uint64_t pieces) {
    const std::scoped_lock lock(mutex_);
    if (not conversation_.needs_connection()) {
        last_life_ = clock_.now();
    }
    conversation_.handed(id, pieces);
    if (const std::string why = logs_.at(id).kept->spool_shortage(); not why.empty()) {
        warning(warnings_.spool_full(why));
    }
    wake_.notify();
}

void ShippingThread::end(LogId id, LogEnding ending) {
    const std::scoped_lock lock(mutex_);
    conversation_.end(id, std::move(ending));
    wake_.notify();
}

void ShippingThread::await_end(LogId id, Nanos patience) {
    std::unique_lock lock(mutex_);
    Shipped& log = logs_.at(id);
    progress(log);
    while (not log.over and not log.failure) {
        if (clock_.now() - log.progress > patience) {
            throw RunError("the " + settings_.peer + " did not confirm it for " + seconds_of(patience) + why_not(log));
        }
        if (clock_.now() >= settings_.until) {
            throw RunError("the " + settings_.peer + " has not confirmed all of it yet");
        }
        changed_.wait_for(lock, std::min(kLook, patience));
    }
    if (log.failure) {
        std::rethrow_exception(log.failure);
    }
}

void ShippingThread::forget(LogId id) {
    const std::scoped_lock lock(mutex_);
    conversation_.forget(id);
    logs_.erase(id);
}

void ShippingThread::stop_logs() {
    fail_logs(std::make_exception_ptr(RunError("the program was stopped")), true);
}

ShippingState ShippingThread::state() const {
    const std::scoped_lock lock(mutex_);
    return state_;
}

std::pair<std::string, std::uint64_t> ShippingThread::errors(LogId id) const {
    const std::scoped_lock lock(mutex_);
    const Shipped& log = logs_.at(id);
    // The connection that it was opened on may have been made for it.
    const std::uint64_t made = state_.connections - log.connections_before;
    const std::uint64_t first = log.connections_before == 0 ? 1 : 0;
    return {log.held_because, made > first ? made - first : 0};
}

std::string ShippingThread::why_not(const Shipped& log) const {
    if (log.held) {
        return ": it takes nothing for now (" + log.held_because + ")";
    }
    if (not log.put_off_because.empty()) {
        return ": " + log.put_off_because;
    }
    return state_.error.empty() ? "" : ": " + state_.error;
}

void ShippingThread::run() {
    set_thread_name("log-shipping");
    while (not stopping_) {
        wake_.clear();
        if (std::optional<Error> error = try_turn()) {
            if (error->failure) {
                fail_logs(std::move(error->failure), error->every_log);
            }
            lost(error->what);
        }
        tell_warnings();
    }
    tell_warnings();
    link_.reset();
}

std::optional<ShippingThread::Error> ShippingThread::try_turn() {
    try {
        turn();
        return std::nullopt;
    } catch (const LogServerRefusal& error) {
        return Error{std::current_exception(), true, error.what()};
    } catch (const LogServerBusy& error) {
        return Error{std::make_exception_ptr(ProtocolError(settings_.peer, error.what())), false, error.what()};
    } catch (const std::exception& error) {
        return Error{link_ ? nullptr : std::current_exception(), false, error.what()};
    }
}

void ShippingThread::turn() {
    if (link_) {
        converse();
        return;
    }
    bool due = false;
    {
        const std::scoped_lock lock(mutex_);
        due = conversation_.needs_connection() and clock_.now() >= try_again_;
    }
    if (due) {
        connect();
    } else {
        rest();
    }
}

void ShippingThread::rest() {
    Nanos limit = std::chrono::seconds(60);
    {
        const std::scoped_lock lock(mutex_);
        if (conversation_.needs_connection()) {
            limit = std::max(try_again_ - clock_.now(), Nanos(0));
        }
    }
    sleep_on(wake_.fd(), limit);
}

void ShippingThread::connect() {
    auto link = settings_.open(clock_);  // may block: nobody waits for the lock meanwhile
    const std::scoped_lock lock(mutex_);
    link_ = std::move(link);
    conversation_.connected();
    ++state_.connections;
    state_.connected = true;
    last_life_ = clock_.now();
    warning(warnings_.connected());
}

void ShippingThread::converse() {
    link_->turn();
    MonoTime until;
    {
        const std::scoped_lock lock(mutex_);
        listen();
        speak();
        const MonoTime now = clock_.now();
        if (now - last_life_ > settings_.limits.times.silence) {
            throw SystemError("hear from the " + settings_.peer, ETIMEDOUT,
                              "nothing came for " + seconds_of(settings_.limits.times.silence));
        }
        until = std::min(conversation_.next_deadline(), last_life_ + settings_.limits.times.silence + kLook);
    }
    link_->wait(wake_.fd(), until);
}

void ShippingThread::listen() {
    const MonoTime now = clock_.now();
    while (const auto frame = link_->next()) {
        last_life_ = now;
        for (const LogNews& news : conversation_.hear(*frame, now)) {
            take(news);
        }
    }
}

void ShippingThread::speak() {
    while (const auto due = conversation_.next(clock_.now())) {
        if (not say(*due)) {
            return;
        }
    }
}

bool ShippingThread::say(const FrameDue& due) {
    std::vector<std::byte> bytes;
    const auto* piece = std::get_if<PieceDue>(&due);
    if (piece == nullptr) {
        bytes = serialize(std::get<LogFrame>(due));
    } else {
        Shipped& log = logs_.at(piece->log);
        try {
            log.kept->read(piece->piece, piece_);
        } catch (const std::exception&) {
            fail(log, std::current_exception());
            conversation_.forget(piece->log);
            return true;
        }
        bytes = serialize(LogPiece{piece->number_of_log, piece->piece, piece_});
    }
    if (not link_->send(bytes)) {
        return false;
    }
    last_life_ = clock_.now();
    conversation_.sent();
    if (piece != nullptr) {
        logs_.at(piece->log).kept->sent(piece->piece + 1);
    }
    return true;
}

void ShippingThread::take(const LogNews& news) {
    const auto found = logs_.find(news.log);
    if (found == logs_.end()) {
        return;
    }
    Shipped& log = found->second;
    switch (news.kind) {
        case LogNews::Kind::opened:
            take_opened(log, news.pieces);
            break;
        case LogNews::Kind::durable:
            take_durable(log, news.pieces);
            break;
        case LogNews::Kind::held:
            log.held = true;
            log.held_because = news.reason;
            warning(warnings_.held(news.reason));
            break;
        case LogNews::Kind::going_on:
            go_on(log);
            break;
        case LogNews::Kind::put_off:
            take_put_off(log, news.reason);
            break;
        case LogNews::Kind::closed:
            take_durable(log, news.pieces);
            log.over = true;
            progress(log);
            break;
        case LogNews::Kind::refused:
            fail(log, std::make_exception_ptr(ProtocolError(settings_.peer, news.reason)));
            break;
    }
    // That a log was opened does not tell: a hold comes behind it.
    if (news.kind != LogNews::Kind::opened and none_held()) {
        warning(warnings_.going_on());
    }
}

void ShippingThread::go_on(Shipped& log) {
    log.held = false;
    // A server that goes on again and again without getting on is none that one should wait for.
    if (std::exchange(log.resumed_at, log.furthest) != log.furthest) {
        progress(log);
    }
}

void ShippingThread::take_put_off(Shipped& log, const std::string& reason) {
    if (not log.opened) {
        fail(log, std::make_exception_ptr(ProtocolError(settings_.peer, reason)));
        return;
    }
    log.put_off_because = reason;
    log.held_because = reason;
    warning(warnings_.held(reason));
}

bool ShippingThread::none_held() const {
    return std::ranges::none_of(logs_, [](const auto& entry) {
        const Shipped& log = entry.second;
        return not log.failure and (log.held or not log.put_off_because.empty());
    });
}

void ShippingThread::take_opened(Shipped& log, std::uint64_t pieces) {
    log.held = false;
    log.put_off_because.clear();
    log.kept->sent(pieces);
    // A server that opens a log again and again without getting on is none that one should wait for.
    if (not std::exchange(log.opened, true) or pieces > log.furthest) {
        log.furthest = pieces;
        progress(log);
    }
}

void ShippingThread::take_durable(Shipped& log, std::uint64_t pieces) {
    log.kept->confirmed(pieces);
    if (pieces > log.furthest) {
        log.furthest = pieces;
        progress(log);
    }
}

void ShippingThread::progress(Shipped& log) {
    log.progress = clock_.now();
    back_off_.reset();
    // A server that is busy with one log may be slow with another.
    for (auto& [id, other] : logs_) {
        if (not other.held) {
            other.progress = log.progress;
        }
    }
    changed_.notify_all();
}

void ShippingThread::fail(Shipped& log, std::exception_ptr why) {
    if (not log.over and not log.failure) {
        log.failure = std::move(why);
        try {
            std::rethrow_exception(log.failure);
        } catch (const std::exception& error) {
            log.kept->let_go(error.what());
        }
    }
    changed_.notify_all();
}

void ShippingThread::fail_logs(std::exception_ptr why, bool all) {
    const std::scoped_lock lock(mutex_);
    for (auto& [id, log] : logs_) {
        if (all or not log.opened) {
            fail(log, why);
            conversation_.forget(id);
        }
    }
    why = nullptr;  // whoever waits takes the last hold on it, not this thread behind their back
}

void ShippingThread::lost(const std::string& why) {
    link_.reset();
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

void ShippingThread::warning(std::string sentence) {
    if (not sentence.empty()) {
        sentence = warning_limit_.take(std::move(sentence), clock_.now());
    }
    if (not sentence.empty()) {
        untold_.push_back(std::move(sentence));
    }
}

void ShippingThread::tell_warnings() {
    std::vector<std::string> warnings;
    {
        const std::scoped_lock lock(mutex_);
        const MonoTime now = clock_.now();
        if (std::string kept = stopping_ ? warning_limit_.rest(now) : warning_limit_.due(now); not kept.empty()) {
            untold_.push_back(std::move(kept));
        }
        warnings.swap(untold_);
    }
    if (settings_.report) {
        std::ranges::for_each(warnings, settings_.report);
    }
}

}  // namespace groma
