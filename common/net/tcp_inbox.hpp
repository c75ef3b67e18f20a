// A flow's way in over TCP: listens, takes one connection from the expected host, and reads frames from its stream
// (common/wire/stream_frame.hpp). A packet has arrived when its last byte was read; its time is that of the read.
#pragma once

#include <memory>

#include "common/net/connecting.hpp"
#include "common/net/inbox.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/wire/stream_frame.hpp"

namespace groma {

class TcpInbox final : public Inbox {
public:
    /// Throws: SystemError "bind 10.0.0.1:8999".
    explicit TcpInbox(const InboxSpec& spec);

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override;
    [[nodiscard]] InboxState state() const noexcept override { return state_; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "user"; }
    [[nodiscard]] std::vector<std::string> remarks() const override { return remarks_; }
    [[nodiscard]] int fd() const noexcept override { return connection_.fd(); }
    [[nodiscard]] SocketAddress local_address() const override { return connection_.local(); }
    [[nodiscard]] SocketAddress remote_address() const override { return connection_.remote(); }

private:
    static constexpr std::size_t kBufferSize = std::size_t{256} << 10U;

    [[nodiscard]] bool read_more() noexcept;
    [[nodiscard]] std::size_t parse(std::span<Arrival> out) noexcept;
    void end(InboxState state) noexcept;

    FlowId flow_;
    std::vector<std::string> remarks_;  // before the connection, which fills it
    OneConnection connection_;
    StreamFrameParser parser_;
    std::unique_ptr<std::byte[]> buffer_;  ///< the kernel backs it with memory when it is touched
    std::span<const std::byte> unread_;    ///< what of `buffer_` is not parsed yet
    WallTime read_at_{};
    InboxCounts counts_;
    InboxState state_ = InboxState::open;
};

}  // namespace groma
