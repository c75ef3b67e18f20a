#include "logserver/log_conversation.hpp"

#include <algorithm>
#include <utility>

#include "common/base/plain_text.hpp"
#include "logserver/log_server_core.hpp"

namespace groma {

namespace {

// Each log leaves its number in memory; a shipper that needs more opens another connection.
constexpr std::size_t kMostLogsOfConnection = 65536;

}  // namespace

LogConversation::LogConversation(const ConversationPeer& peer, AnswerSink& answers, LogServerCore& core, MonoTime now)
    : peer_(peer.name),
      answers_(answers),
      core_(core),
      lines_(peer_, [&core](const std::string& line) { core.report(line); }),
      shipper_{.node = {}, .host = peer.host, .grant = peer.grant},
      deadline_(now + core.times().greeting) {
    core_.joined(*this);
}

LogConversation::~LogConversation() {
    end("its connection ended");
}

void LogConversation::on_frame(const LogFrame& frame, MonoTime now) noexcept {
    if (state_ == State::ended) {
        return;
    }
    const State before = state_;
    try {
        std::visit([this](const auto& each) { take(each); }, frame);
    } catch (const std::exception& error) {
        refuse(Counted::refused_protocol, error.what(), true);
    }
    // Only open logs, or the start of the conversation, extend the deadline: other frames only show that the peer is
    // alive.
    if (state_ == State::talking and (before != State::talking or has_open_logs())) {
        deadline_ = now + core_.times().silence;
    }
}

template <typename Other>
void LogConversation::take(const Other& /*frame of a server*/) {
    refuse(Counted::refused_protocol, "sent what the writer of a log does not send", false);
}

void LogConversation::take(const ShipperHello& hello) {
    if (state_ != State::greeting) {
        refuse(Counted::refused_protocol, "greeted twice", false);
    } else if (hello.version != kLogProtocolVersion) {
        refuse(Counted::refused_version,
               "this log server speaks version " + std::to_string(kLogProtocolVersion) +
                   " of the log protocol, the writer version " + std::to_string(hello.version) +
                   ": use programs of the same release on both hosts",
               false);
    } else {
        shipper_.node = hello.node;
        state_ = State::greeted;
        say(ServerWelcome{});
    }
}

void LogConversation::take(const OpenLog& request) {
    if (state_ == State::greeting) {
        refuse(Counted::refused_protocol, "did not greet as a shipper of logs does", false);
    } else if (request.log == kWholeConnection or used_.contains(request.log)) {
        refuse(Counted::refused_protocol, "used the number " + std::to_string(request.log) + " for a second log",
               false);
    } else if (used_.size() >= kMostLogsOfConnection) {
        refuse(Counted::refused_protocol, "opened as many logs as one connection may; connect again", true);
    } else {
        state_ = State::talking;
        used_.insert(request.log);
        auto& log = logs_[request.log];
        log = std::make_unique<ConversationLog>(request, lines_, core_, [this](const LogFrame& frame) { say(frame); });
        log->open(shipper_);
    }
}

ConversationLog* LogConversation::log_of(LogNumber number) {
    if (not used_.contains(number)) {
        refuse(Counted::refused_protocol,
               state_ == State::greeting ? "did not greet as a shipper of logs does"
                                         : "named a log that it had not opened (" + std::to_string(number) + ")",
               false);
        return nullptr;
    }
    const auto found = logs_.find(number);
    if (found == logs_.end() or found->second->ended()) {
        core_.counters().count(Counted::pieces_stray);
        return nullptr;
    }
    return found->second.get();
}

void LogConversation::take(const LogPiece& piece) {
    if (ConversationLog* log = log_of(piece.log)) {
        log->on_piece(piece);
    }
}

void LogConversation::take(const CloseLog& totals) {
    if (ConversationLog* log = log_of(totals.log)) {
        log->on_close(totals);
    }
}

void LogConversation::take(const GiveUpLog& last) {
    if (ConversationLog* log = log_of(last.log)) {
        log->on_give_up(last);
    }
}

void LogConversation::on_rubbish(const std::string& what, MonoTime /*now*/) noexcept {
    std::string why = what;
    if (why.starts_with(peer_ + ": ")) {
        why.erase(0, peer_.size() + 2);
    }
    refuse(Counted::refused_rubbish, why, false);
}

void LogConversation::on_lost(const std::string& reason) noexcept {
    if (state_ == State::ended) {
        return;
    }
    if (has_open_logs()) {
        core_.report(peer_ + ": " + reason);
    }
    end(reason);
}

void LogConversation::on_deaf() noexcept {
    if (state_ != State::ended) {
        core_.counters().count(Counted::refused_deaf);
        core_.report(peer_ + ": does not read what it is answered");
        end("its shipper did not read what it was answered");
    }
}

void LogConversation::tick(MonoTime now) noexcept {
    if (state_ == State::ended or now < deadline_) {
        return;
    }
    if (has_held_logs()) {
        deadline_ = now + core_.times().silence;
        return;
    }
    refuse(Counted::refused_silent,
           state_ != State::talking ? "connected but opened no log"
           : has_open_logs()        ? "was silent for too long"
                                    : "has no log open",
           state_ == State::talking);
}

std::size_t LogConversation::longest_frame() const {
    return state_ == State::talking ? kMaxPieceFrame : kMaxOtherFrame;
}

MonoTime LogConversation::read_again_at() const {
    return core_.read_again_at();
}

void LogConversation::refuse(Counted cause, const std::string& why, bool try_again) noexcept {
    if (state_ == State::ended) {
        return;
    }
    core_.counters().count(cause);
    const std::string reason = plain_text(why, kMostReasonBytes);
    core_.report_refusal(shipper_.host, peer_ + ": " + reason);
    if (state_ != State::talking) {  // its logs have lines of their own
        core_.audit(shipper_.host, shipper_.grant, {}, reason);
    }
    tell_the_end(reason, try_again);
}

void LogConversation::turn_away(const std::string& why) noexcept {
    core_.counters().count(Counted::refused_key);
    tell_the_end(why, false);
}

void LogConversation::tell_the_end(const std::string& reason, bool try_again) noexcept {
    leave_logs(reason);
    say(LogRefused{kWholeConnection, try_again, reason});
    become_ended();
    answers_.finish();
}

void LogConversation::end(const std::string& reason) noexcept {
    if (state_ == State::ended) {
        return;
    }
    leave_logs(reason);
    become_ended();
}

void LogConversation::become_ended() noexcept {
    state_ = State::ended;
    deadline_ = MonoTime::max();
    lines_.end();
    core_.left(*this);
    slot_.reset();
}

void LogConversation::leave_logs(const std::string& reason) noexcept {
    for (auto& [number, log] : logs_) {
        log->on_lost(reason);
    }
}

bool LogConversation::has_open_logs() {
    while (not logs_.empty() and logs_.begin()->second->ended()) {
        logs_.erase(logs_.begin());
    }
    return not logs_.empty();
}

bool LogConversation::has_held_logs() const {
    return std::ranges::any_of(logs_, [](const auto& each) { return each.second->held(); });
}

void LogConversation::say(const LogFrame& frame) noexcept {
    if (state_ != State::ended) {
        answers_.answer(serialize(frame));
    }
}

}  // namespace groma
