#include "logserver/conversation_log.hpp"

#include <utility>

#include "common/base/counted.hpp"
#include "common/base/plain_text.hpp"
#include "logserver/log_server_core.hpp"

namespace groma {

ConversationLog::ConversationLog(OpenLog request, PeerLines& lines, LogServerCore& core, Say say)
    : request_(std::move(request)), lines_(lines), core_(core), say_(std::move(say)) {}

ConversationLog::~ConversationLog() {
    on_lost("its connection ended");
}

template <typename Action>
void ConversationLog::act(const Action& action) noexcept {
    try {
        action();
    } catch (const LogRefusal& refusal) {
        refuse(refusal.what(), refusal.try_again());
    } catch (const std::exception& error) {
        refuse(error.what(), true);
    }
}

void ConversationLog::open(const ShippingPeer& shipper) noexcept {
    waits_ = true;
    peer_ = shipper;
    act([&] {
        if (StoredLog* const log = core_.open(request_, shipper, *this)) {
            opened(*log);
        }
    });
}

void ConversationLog::opened(StoredLog& log) {
    waits_ = false;
    log_ = &log;
    core_.counters().count(Counted::logs_opened);
    core_.audit(peer_.host, peer_.grant, name(), {});
    lines_.note(": writes " + name() + (log.pieces() > 0 ? " from piece " + std::to_string(log.pieces()) + " on" : ""));
    say_(LogOpened{request_.log, log.pieces()});
    if (const std::uint64_t pieces = log.entry().pieces; pieces > 0) {
        durable(pieces);  // a connection that broke may have lost the word of it
    }
    if (const std::string why = core_.shortage(log.entry().owner); not why.empty()) {
        hold(why);
    }
}

bool ConversationLog::comes_too_early(std::uint64_t pieces) const {
    return waits_ or is_on_hold() or (catching_up_ and pieces > log_->pieces());
}

void ConversationLog::on_piece(const LogPiece& piece) noexcept {
    if (ended() or comes_too_early(piece.number)) {
        core_.counters().count(ended() ? Counted::pieces_stray : Counted::pieces_held);
        return;
    }
    act([&] {
        switch (core_.append(*log_, piece)) {
            case StoredLog::Took::piece:
                catching_up_ = false;
                break;
            case StoredLog::Took::repeat:
                break;
            case StoredLog::Took::gap:
                // A hold that began with this very piece: it comes again.
                if (not is_on_hold()) {
                    throw LogRefusal("piece " + std::to_string(piece.number) + " came where piece " +
                                     std::to_string(log_->pieces()) + " was due");
                }
        }
    });
}

void ConversationLog::on_close(const CloseLog& totals) noexcept {
    if (ended() or comes_too_early(totals.pieces)) {
        return;
    }
    act([&] { end_or_sweep(log_->close(totals)); });
}

void ConversationLog::end_or_sweep(bool complete_already) {
    if (complete_already) {
        core_.leave(*std::exchange(log_, nullptr), {});
        say_(LogClosed{request_.log});
    } else {
        core_.sweep_now();
    }
}

void ConversationLog::on_give_up(const GiveUpLog& last) noexcept {
    if (ended() or comes_too_early(last.pieces)) {
        return;
    }
    act([&] {
        const bool complete_already = log_->give_up(last);
        core_.counters().count(Counted::logs_given_up);
        end_or_sweep(complete_already);
    });
}

void ConversationLog::on_lost(const std::string& reason) noexcept {
    leave(reason);
}

void ConversationLog::leave(const std::string& reason) noexcept {
    if (std::exchange(waits_, false)) {
        core_.leave(*this);
    }
    if (log_ != nullptr) {
        core_.leave(*std::exchange(log_, nullptr), is_on_hold() ? reason + ", while it was on hold: " + held_ : reason);
    }
}

void ConversationLog::durable(std::uint64_t pieces) {
    say_(LogDurable{request_.log, pieces});
}

void ConversationLog::closed() {
    const StoredLog& log = *std::exchange(log_, nullptr);
    core_.counters().count(log.complete() ? Counted::logs_completed : Counted::pieces_stray, log.complete() ? 1 : 0);
    const std::string what = name() + " (" + counted(log.bytes(), "byte") + ")";
    if (log.complete()) {
        lines_.note(": completed " + what);
    } else {
        lines_.error(": gave up " + what);
    }
    say_(LogClosed{request_.log});
}

void ConversationLog::failed(const std::string& why) {
    waits_ = false;
    log_ = nullptr;
    refuse(why, true);
}

void ConversationLog::taken_over() {
    waits_ = false;
    log_ = nullptr;
    core_.counters().count(Counted::logs_taken_over);
    lines_.error(": the writer of " + name() + " came back on another connection");
    say_(LogRefused{request_.log, false, "its writer came back on another connection"});
}

void ConversationLog::hold(const std::string& why) {
    if (not is_on_hold()) {
        held_ = plain_text(why, kMostReasonBytes);
        say_(LogHold{request_.log, held_});
    }
}

void ConversationLog::go_on(std::uint64_t pieces) {
    if (not std::exchange(held_, {}).empty()) {
        catching_up_ = true;
        say_(LogGoOn{request_.log, pieces});
    }
}

void ConversationLog::refuse(const std::string& why, bool try_again) noexcept {
    core_.counters().count(Counted::logs_refused);
    const std::string reason = plain_text(why, kMostReasonBytes);
    lines_.error(" (" + plain_text(name()) + "): " + reason);
    core_.audit(peer_.host, peer_.grant, name(), reason);
    leave(reason);
    say_(LogRefused{request_.log, try_again, reason});
}

}  // namespace groma
