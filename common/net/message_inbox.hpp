// A flow's way in over SCTP or DCCP: listens, takes one connection from the expected host, and reads its messages, each
// of which is a packet.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "common/net/connecting.hpp"
#include "common/net/inbox.hpp"

namespace groma {

class MessageInbox final : public Inbox {
public:
    /// `listener`: bound, with the flow's options. Throws: SystemError.
    MessageInbox(const InboxSpec& spec, FileDescriptor listener, std::vector<std::string> remarks);

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override;
    [[nodiscard]] InboxState state() const noexcept override { return state_; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "user"; }
    [[nodiscard]] std::vector<std::string> remarks() const override { return remarks_; }
    [[nodiscard]] int fd() const noexcept override { return connection_.fd(); }
    [[nodiscard]] SocketAddress local_address() const override { return connection_.local(); }
    [[nodiscard]] SocketAddress remote_address() const override { return connection_.remote(); }

private:
    /// No message of either transport is longer.
    static constexpr std::size_t kBufferSize = std::size_t{128} << 10U;

    [[nodiscard]] bool read_message() noexcept;
    [[nodiscard]] bool read_piece(bool& whole) noexcept;
    void end(InboxState state) noexcept;

    FlowId flow_;
    Transport transport_;
    HeaderLevel header_;
    std::vector<std::string> remarks_;
    OneConnection connection_;
    std::unique_ptr<std::byte[]> buffer_;  ///< the kernel backs it with memory when it is touched
    std::size_t filled_ = 0;               ///< of a message that came in part
    InboxCounts counts_;
    InboxState state_ = InboxState::open;
};

}  // namespace groma
