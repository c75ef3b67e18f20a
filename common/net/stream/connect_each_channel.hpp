// A flow's way out over many connections of TCP, one after the other: each takes some requests and their responses and
// is closed then. The first request of a connection is held until the connection is there, so its time counts from the
// moment at which connecting began.
//
// The sender closes, with a reset (SO_LINGER of 0 seconds, socket(7): ABORT of RFC 9293, 3.10.5): nothing is under way
// when the last response is in, and no port stays in TIME-WAIT, of which a host has some 28,000 a minute.
#pragma once

#include <memory>

#include "common/model/flow/draws.hpp"
#include "common/net/channel/channel.hpp"
#include "common/net/channel/stream_reader.hpp"

namespace groma {

class ConnectEachChannel final : public Channel {
public:
    /// Requires: spec.requests_per_connection. Connects nothing yet. The clock outlives the channel.
    /// Throws: SystemError when the host cannot have such sockets, or has no route.
    ConnectEachChannel(const ChannelSpec& spec, Clock& clock);

    /// Takes one frame, over a new connection if the last one is done. Where one still waits for its response, its
    /// connection is given up.
    [[nodiscard]] SendOutcome send(std::span<const Frame> frames) noexcept override;
    [[nodiscard]] bool holding() const noexcept override { return not held_.empty(); }
    [[nodiscard]] bool finish(Nanos limit) noexcept override;
    [[nodiscard]] std::unique_ptr<Inbox> open_replies(const ReplySpec& spec, Clock& clock) override;
    [[nodiscard]] ConnectionCounts connections() const noexcept override { return counts_; }
    [[nodiscard]] std::vector<std::string> warnings() const override;
    [[nodiscard]] int fd() const noexcept override { return socket_.get(); }
    /// Without a port: each connection has another.
    [[nodiscard]] SocketAddress local_address() const override { return local_; }
    [[nodiscard]] SocketAddress remote_address() const override { return to_; }

    /// For what open_replies() gives: goes on with connecting and with what is held, and reads responses.
    [[nodiscard]] std::size_t drain(StreamReader& reader, std::span<Arrival> out) noexcept;

private:
    /// A socket as it was asked for, bound. `warnings`: what the kernel made of it.
    [[nodiscard]] FileDescriptor new_socket(std::vector<std::string>& warnings) const;
    [[nodiscard]] int connect() noexcept;
    void hold(const Frame& frame) noexcept;
    [[nodiscard]] SendStatus flush() noexcept;
    void fail(int errno_value) noexcept;
    void close() noexcept;

    Transport transport_;
    TransportOptions options_;
    SocketAddress to_;
    Clock& clock_;
    SizeProcess requests_;
    DrawCounts draws_;
    SocketAddress local_;
    std::vector<std::string> warnings_;
    std::unique_ptr<std::byte[]> buffer_;  ///< room for one frame
    std::span<const std::byte> held_;      ///< what of `buffer_` must still go
    FileDescriptor socket_;                ///< of the connection; invalid: there is none
    MonoTime since_{};                     ///< when connecting began
    std::uint32_t requests_left_ = 0;      ///< that this connection takes
    bool waiting_ = false;                 ///< for a response
    bool restart_ = false;                 ///< the stream of responses begins anew
    ConnectionCounts counts_;
    int first_error_ = 0;  ///< of the first connection that failed; 0: it was closed before the response
};

}  // namespace groma
