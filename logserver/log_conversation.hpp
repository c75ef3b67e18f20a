// The conversation with one shipper: its greeting, its logs, how long it may be silent
// (docs/reference/log-protocol.md).
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>

#include "common/control/admission.hpp"
#include "logserver/conversation.hpp"
#include "logserver/conversation_log.hpp"
#include "logserver/peer_lines.hpp"
#include "logserver/server_counters.hpp"

namespace groma {

class LogServerCore;

class LogConversation final : public Conversation {
public:
    /// The core and the sink outlive the conversation.
    LogConversation(const ConversationPeer& peer, AnswerSink& answers, LogServerCore& core, MonoTime now);
    ~LogConversation() override;

    void on_frame(const LogFrame& frame, MonoTime now) noexcept override;
    void on_rubbish(const std::string& what, MonoTime now) noexcept override;
    void on_lost(const std::string& reason) noexcept override;
    void on_deaf() noexcept override;
    void tick(MonoTime now) noexcept override;
    [[nodiscard]] MonoTime next_deadline() const override { return deadline_; }
    [[nodiscard]] std::size_t longest_frame() const override;
    [[nodiscard]] MonoTime read_again_at() const override;

    /// Its place among the connections, given back when it ends.
    void hold(Admission::Slot slot) { slot_ = std::move(slot); }
    /// Ends it from the server's side. The peer is told why, and everything is kept.
    void refuse(Counted cause, const std::string& why, bool try_again) noexcept;
    /// It lacks a key, which the entrance has reported.
    void turn_away(const std::string& why) noexcept;
    /// The server ends: no more logs, no word.
    void end(const std::string& reason) noexcept;

private:
    enum class State : std::uint8_t { greeting, greeted, talking, ended };

    void take(const ShipperHello& hello);
    void take(const OpenLog& request);
    void take(const LogPiece& piece);
    void take(const CloseLog& totals);
    void take(const GiveUpLog& last);
    template <typename Other>
    void take(const Other& other);
    [[nodiscard]] ConversationLog* log_of(LogNumber number);
    void say(const LogFrame& frame) noexcept;
    void tell_the_end(const std::string& reason, bool try_again) noexcept;
    void become_ended() noexcept;
    void leave_logs(const std::string& reason) noexcept;
    [[nodiscard]] bool has_held_logs() const;
    /// Forgets ended ones on the way, so that it costs nothing however many there were.
    [[nodiscard]] bool has_open_logs();

    std::string peer_;
    AnswerSink& answers_;
    LogServerCore& core_;
    PeerLines lines_;
    Admission::Slot slot_;
    State state_ = State::greeting;
    ShippingPeer shipper_;
    std::map<LogNumber, std::unique_ptr<ConversationLog>> logs_;  ///< some have ended
    std::set<LogNumber> used_;                                    ///< numbers of all logs that there were
    MonoTime deadline_;
};

}  // namespace groma
