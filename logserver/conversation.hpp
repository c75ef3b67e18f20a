// One shipper's side of a log server, whatever carries its frames: frames in, frames out, deadlines. Knows no socket.
// A carrier (TCP, UDP, MPI) owns one Conversation for each connection, hands it the frames that come, sends what it
// answers, and calls tick() when next_deadline() has come.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/shipping/protocol/log_frames.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// What a conversation says goes here. The carrier sends the bytes in order; it may queue them, but a peer that does
/// not read makes it end the conversation, not hold up the others.
class AnswerSink {
public:
    AnswerSink() = default;
    AnswerSink(const AnswerSink&) = delete;
    AnswerSink& operator=(const AnswerSink&) = delete;
    virtual ~AnswerSink() = default;
    /// Neither calls the conversation before it returns.
    virtual void answer(std::vector<std::byte> frame) = 0;
    /// The conversation is over from the server's side: send what was answered, then end the connection.
    virtual void finish() = 0;
};

/// A carrier hands a conversation so many frames at most before the others have their turn.
inline constexpr std::size_t kFramesInTurn = 64;

class Conversation {
public:
    Conversation() = default;
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    virtual ~Conversation() = default;

    /// A frame came. Never throws: what is wrong is answered with LogRefused, counted and reported.
    virtual void on_frame(const LogFrame& frame, MonoTime now) noexcept = 0;
    /// The bytes that came were no frames (the carrier's LogFrameReader threw): answered, counted, finished.
    virtual void on_rubbish(const std::string& what, MonoTime now) noexcept = 0;
    /// The connection is gone. Logs that are not closed stay incomplete for `reason`; their shipper may come back.
    virtual void on_lost(const std::string& reason) noexcept = 0;
    /// The peer does not take what it is answered, and the carrier ends the connection: as on_lost(), and counted.
    virtual void on_deaf() noexcept { on_lost("does not read what it is answered"); }

    virtual void tick(MonoTime now) noexcept = 0;
    [[nodiscard]] virtual MonoTime next_deadline() const = 0;
    /// The longest frame that the peer may send now (LogFrameReader::allow()): short ones before a log is open.
    [[nodiscard]] virtual std::size_t longest_frame() const = 0;
    /// The carrier takes nothing more from this peer before (`--max-rate`): it stops reading, and drops nothing.
    [[nodiscard]] virtual MonoTime read_again_at() const { return MonoTime::min(); }
};

/// Who has connected.
struct ConversationPeer {
    std::string name;       ///< "10.0.0.1:40000", "rank 2"
    std::string host;       ///< "10.0.0.1", "rank 2"
    std::string refusal{};  ///< why its carrier takes no more; empty: it does
};

/// What carriers need of the server. All on the server's thread.
class ConversationHost {
public:
    ConversationHost() = default;
    ConversationHost(const ConversationHost&) = delete;
    ConversationHost& operator=(const ConversationHost&) = delete;
    virtual ~ConversationHost() = default;

    /// A new connection. When there are too many, the conversation refuses and finishes by itself. `answers` outlives
    /// the conversation.
    [[nodiscard]] virtual std::unique_ptr<Conversation> begin(const ConversationPeer& peer, AnswerSink& answers,
                                                              MonoTime now) = 0;
};

}  // namespace groma
