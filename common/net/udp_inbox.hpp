// A flow's way in over UDP: a bound socket, drained with recvmmsg(2), each packet with the kernel's time of its arrival
// (SO_TIMESTAMPNS). Only the first bytes of a packet are copied out of the kernel, with its full length (MSG_TRUNC).
#pragma once

#include <array>
#include <memory>

#include "common/net/inbox.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class UdpInbox final : public Inbox {
public:
    /// Throws: SystemError "bind 10.0.0.1:8999".
    explicit UdpInbox(const InboxSpec& spec);
    ~UdpInbox() override;

    [[nodiscard]] std::size_t drain(std::span<Arrival> out) noexcept override;
    [[nodiscard]] InboxState state() const noexcept override { return InboxState::open; }
    [[nodiscard]] const InboxCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] std::string_view timestamps() const noexcept override { return "kernel software"; }
    [[nodiscard]] int fd() const noexcept override { return socket_.get(); }
    [[nodiscard]] SocketAddress local_address() const override;
    [[nodiscard]] SocketAddress remote_address() const override { return remote_; }

    /// What the kernel gave of the 8 MiB of receive buffer that were asked for.
    [[nodiscard]] std::uint64_t receive_buffer() const noexcept;

private:
    struct Batch;

    [[nodiscard]] bool accept(std::size_t index, WallTime now, Arrival& out) noexcept;
    void read_kernel_drops() noexcept;
    void see_kernel_drops(std::uint32_t drops) noexcept;

    FlowId flow_;
    HeaderLevel header_;
    HostKey expected_;
    FileDescriptor socket_;
    std::unique_ptr<Batch> batch_;  ///< what recvmmsg fills
    InboxCounts counts_;
    std::uint32_t last_drops_ = 0;  ///< the kernel's 32-bit counter when it was last seen
    SocketAddress remote_;
};

}  // namespace groma
