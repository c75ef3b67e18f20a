// One shipper's connection over UDP at the log server: a DatagramStream on one side, a Conversation on the other,
// frames between them. Knows no socket; the carrier moves its datagrams.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/shipping/datagram/datagram_stream.hpp"
#include "common/shipping/datagram/udp_batch.hpp"
#include "common/shipping/protocol/log_frame_reader.hpp"
#include "common/shipping/protocol/log_frames.hpp"
#include "logserver/conversation.hpp"
#include "logserver/log_server_settings.hpp"

namespace groma {

class UdpSession final : public AnswerSink {
public:
    struct Setup {
        DatagramIdentity identity;
        DatagramStreamSettings stream;
        ConversationPeer peer;
        UdpRoute route;
        const LogServerTimes& times;
        /// There is something to be sent or to be taken in at a later turn, or the end has come, outside of the calls
        /// below. Not to be answered at once.
        std::function<void()> wake;
    };

    UdpSession(Setup setup, ConversationHost& host, MonoTime now);

    void on_datagram(std::span<const std::byte> datagram, MonoTime now);
    /// Returns: the length of the next datagram, 0 when there is none now.
    [[nodiscard]] std::size_t next_datagram(std::span<std::byte> out, MonoTime now);
    void tick(MonoTime now);
    [[nodiscard]] MonoTime next_deadline() const;

    /// The server ends: says so to the shipper, without waiting for anything.
    void stop(const std::string& reason);
    /// Nothing more comes of it: it can be forgotten once next_datagram() has no more either.
    [[nodiscard]] bool over() const { return is_over_; }

    [[nodiscard]] const std::string& caller() const { return setup_.peer.name; }
    [[nodiscard]] const UdpRoute& route() const { return setup_.route; }
    [[nodiscard]] DatagramStream& stream() { return stream_; }
    [[nodiscard]] const DatagramStream& stream() const { return stream_; }

    void answer(std::vector<std::byte> frame) override;
    void finish() override;

private:
    void take_frames(MonoTime now);
    void write_answers();
    void detect_end();
    void lost(const std::string& reason);

    Setup setup_;
    DatagramStream stream_;
    LogFrameReader frames_;
    std::vector<std::byte> answers_;  ///< that the stream has no room for yet
    bool is_finishing_ = false;       ///< nothing more is heard, the last answers go out
    MonoTime finish_by_ = MonoTime::max();
    bool is_deaf_ = false;  ///< the shipper takes no answers
    bool is_over_ = false;
    std::unique_ptr<Conversation> conversation_;  ///< last: it may answer from its destructor
};

}  // namespace groma
