// A flow's way out over TCP: a connection on which each frame is a piece of its stream (common/wire/stream_frame.hpp).
// A frame of which the kernel took only a part is held here until the rest can go: a stream cannot be left in the
// middle of a frame.
#pragma once

#include <sys/uio.h>

#include <array>
#include <memory>

#include "common/net/channel/channel.hpp"
#include "common/net/socket/connection_state.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/wire/stream_frame.hpp"

namespace groma {

class TcpChannel final : public Channel {
public:
    /// TCP or MPTCP; connects within the limit. The clock outlives the channel.
    /// Throws: SystemError "connect to 10.0.0.1:8999 over TCP".
    TcpChannel(const ChannelSpec& spec, Clock& clock);

    /// A frame of 0 bytes or more than kMaxStreamFrame is too_big.
    [[nodiscard]] SendOutcome send(std::span<const Frame> frames) noexcept override;
    [[nodiscard]] bool holding() const noexcept override { return not held_.empty(); }
    void limit_unsent(std::size_t bytes) noexcept override;
    [[nodiscard]] bool finish(Nanos limit) noexcept override;
    [[nodiscard]] std::unique_ptr<Inbox> open_replies(const ReplySpec& spec, Clock& clock) override;
    [[nodiscard]] std::optional<ConnectionSample> sample() const noexcept override { return tcp_state(fd()); }
    [[nodiscard]] std::optional<SendLimits> limits() const noexcept override { return tcp_limits(fd()); }
    [[nodiscard]] int fd() const noexcept override { return socket_.get(); }
    [[nodiscard]] SocketAddress local_address() const override;
    [[nodiscard]] SocketAddress remote_address() const override { return to_; }
    [[nodiscard]] std::vector<std::string> warnings() const override { return warnings_; }

private:
    static constexpr std::size_t kBatch = 64;
    static constexpr std::size_t kPieces = 3;  ///< of a frame: length, header, rest

    [[nodiscard]] SendOutcome flush() noexcept;
    [[nodiscard]] SendOutcome send_some(std::span<const Frame> frames) noexcept;
    void lay_out(std::size_t index, const Frame& frame) noexcept;
    void hold(std::size_t index, std::size_t taken) noexcept;

    SocketAddress to_;
    Clock& clock_;
    FileDescriptor socket_;
    std::vector<std::string> warnings_;
    std::array<std::array<std::byte, kMaxStreamLengthBytes>, kBatch> lengths_{};
    std::array<iovec, kPieces * kBatch> pieces_{};
    std::unique_ptr<std::byte[]> buffer_;  ///< room for one frame; the kernel backs it with memory when it is touched
    std::span<const std::byte> held_;      ///< what of `buffer_` must still go
};

}  // namespace groma
