// One TCP connection of a log server: the frames of its stream go to a conversation, and what that answers goes back.
// Three coroutines read, write, and watch the deadlines. All on the server's thread.
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <memory>
#include <string>
#include <vector>

#include "common/control/byte_stream.hpp"
#include "common/control/timer.hpp"
#include "common/shipping/protocol/log_frame_reader.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "logserver/conversation.hpp"
#include "logserver/tcp_carrier.hpp"

namespace groma {

class TcpSession final : private AnswerSink {
public:
    /// The surroundings outlive the session.
    TcpSession(ByteStream stream, ConversationPeer peer, Admission::Slot slot, const CarrierSurroundings& surroundings);

    /// Returns when the connection is done with, one way or the other.
    boost::asio::awaitable<void> run();

    /// Ends it at once; run() returns soon.
    void close() noexcept;
    /// The same; its logs are left for `reason`. Call after run() has begun.
    void lose(const std::string& reason);

private:
    void answer(std::vector<std::byte> frame) override;
    void finish() override;

    boost::asio::awaitable<void> read();
    boost::asio::awaitable<void> write();
    boost::asio::awaitable<void> watch();
    boost::asio::awaitable<void> ignore_the_rest();
    /// Those of one turn. Returns: false when no whole frame is left.
    bool take_frames();
    [[nodiscard]] MonoTime now() const { return surroundings_.clock.now(); }

    const CarrierSurroundings& surroundings_;
    Admission::Slot slot_;
    ConversationPeer peer_;
    ByteStream stream_;
    LogFrameReader frames_;
    Timer reading_;      ///< runs while nothing is read because of the rate limit
    Condition writing_;  ///< notified when there is something to write
    Timer watching_;     ///< cancelled when a deadline comes earlier
    std::vector<std::byte> answers_;
    MonoTime write_deadline_ = MonoTime::max();
    MonoTime farewell_deadline_ = MonoTime::max();
    bool finishing_ = false;
    bool closed_ = false;
    std::unique_ptr<Conversation> conversation_;
};

}  // namespace groma
