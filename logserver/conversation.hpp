// A log server's conversation with one shipper: frames in, frames out, deadlines. Independent of sockets. A carrier
// (TCP, UDP, MPI) owns one Conversation per connection, passes it the frames received, sends its answers, and calls
// tick() at next_deadline().
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/access/access_key.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "common/time/instant.hpp"

namespace groma {

/// Takes a conversation's answers. The carrier sends the bytes in order and may queue them. It ends the conversation
/// with a peer that does not read, so that others do not wait.
class AnswerSink {
public:
    AnswerSink() = default;
    AnswerSink(const AnswerSink&) = delete;
    AnswerSink& operator=(const AnswerSink&) = delete;
    virtual ~AnswerSink() = default;
    /// Neither function calls back into the conversation.
    virtual void answer(std::vector<std::byte> frame) = 0;
    /// The server ends the conversation: send all answers, then close the connection.
    virtual void finish() = 0;
};

/// The most frames that a carrier passes to a conversation per turn.
inline constexpr std::size_t kFramesInTurn = 64;

class Conversation {
public:
    Conversation() = default;
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    virtual ~Conversation() = default;

    /// A frame arrived. Errors are answered with LogRefused, counted and reported.
    virtual void on_frame(const LogFrame& frame, MonoTime now) noexcept = 0;
    /// The bytes received were not frames (the carrier's LogFrameReader threw): answers, counts and finishes.
    virtual void on_rubbish(const std::string& what, MonoTime now) noexcept = 0;
    /// The connection is lost. Open logs stay incomplete for `reason`; their shipper may reconnect.
    virtual void on_lost(const std::string& reason) noexcept = 0;
    /// The peer does not read the answers, and the carrier ends the connection: as on_lost(), and counted.
    virtual void on_deaf() noexcept { on_lost("does not read what it is answered"); }

    virtual void tick(MonoTime now) noexcept = 0;
    [[nodiscard]] virtual MonoTime next_deadline() const = 0;
    /// The longest frame that the peer may send now (LogFrameReader::allow()); short before a log is open.
    [[nodiscard]] virtual std::size_t longest_frame() const = 0;
    /// The carrier does not read from this peer before this time (`--max-rate`). It drops no data.
    [[nodiscard]] virtual MonoTime read_again_at() const { return MonoTime::min(); }
};

/// The peer of a connection.
struct ConversationPeer {
    std::string name;              ///< "10.0.0.1:40000 with the key lab", "rank 2"
    std::string host;              ///< "10.0.0.1", "rank 2"
    std::string refusal{};         ///< why its carrier refuses more connections; empty: it does not
    std::string lacks{};           ///< why it may never ship, which is a key; empty: it may
    std::optional<Grant> grant{};  ///< of the key that it has proved; nothing: none
};

[[nodiscard]] inline ConversationPeer peer_at(const SocketAddress& address, std::optional<Grant> grant) {
    ConversationPeer peer{.name = address.to_string(), .host = address.host_to_string()};
    if (grant) {
        peer.name += " with the key " + grant->name;
        peer.grant = std::move(grant);
    }
    return peer;
}

/// The server's interface to carriers. Thread: the server's.
class ConversationHost {
public:
    ConversationHost() = default;
    ConversationHost(const ConversationHost&) = delete;
    ConversationHost& operator=(const ConversationHost&) = delete;
    virtual ~ConversationHost() = default;

    /// Begins a conversation for a new connection. If there are too many, the conversation refuses and finishes by
    /// itself. `answers` outlives the conversation.
    [[nodiscard]] virtual std::unique_ptr<Conversation> begin(const ConversationPeer& peer, AnswerSink& answers,
                                                              MonoTime now) = 0;
};

}  // namespace groma
