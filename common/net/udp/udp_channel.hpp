// A flow's way out over UDP: a connected socket, one datagram a frame; several frames go in one system call, and those
// of one size through the kernel as one where it can do that (datagram_batch.hpp, docs/reference/transports.md). With
// IP_RECVERR (ip(7)), as without it Linux keeps quiet about packets that this host's own queues dropped. Refusals are
// counted at least: one that comes while sendmmsg(2) is halfway is swallowed by the kernel.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "common/net/channel/channel.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/net/stamps/kernel_departure.hpp"
#include "common/net/stamps/transmit_stamps.hpp"
#include "common/os/file_descriptor.hpp"

namespace groma {

class UdpChannel final : public Channel {
public:
    /// UDP or UDP-Lite. Throws: SystemError; RunError when departures are to be the kernel's and it has no queue for
    /// it.
    explicit UdpChannel(const ChannelSpec& spec);
    /// A flow on the socket of another. Requires: the same options and address, no times of departure.
    explicit UdpChannel(const std::shared_ptr<const FileDescriptor>& socket, const UdpChannel& first);

    [[nodiscard]] SendOutcome send(std::span<const Frame> frames) noexcept override;
    /// What the socket is charged for: packets that no device has taken.
    [[nodiscard]] bool in_queue() const noexcept override;
    void warm_up() noexcept override;
    [[nodiscard]] bool finish(Nanos limit) noexcept override;
    [[nodiscard]] std::unique_ptr<Inbox> open_replies(const ReplySpec& spec, Clock& clock) override;
    [[nodiscard]] std::size_t take_transmit_stamps(std::span<TransmitStamp> out) noexcept override {
        return stamps_ ? stamps_->take(out) : 0;
    }
    [[nodiscard]] std::optional<HeldDepartures> held_departures() const override;
    [[nodiscard]] int fd() const noexcept override { return socket_->get(); }
    [[nodiscard]] SocketAddress local_address() const override;
    [[nodiscard]] SocketAddress remote_address() const override { return to_; }
    [[nodiscard]] std::vector<std::string> warnings() const override;
    [[nodiscard]] std::optional<PathMtu> path() const noexcept override {
        return path_mtu(socket_->get(), to_.is_ipv4());
    }

    /// What the kernel gave of the 4 MiB of send buffer that were asked for.
    [[nodiscard]] std::uint64_t send_buffer() const noexcept;

private:
    void segment_if_whole(const std::string& queue);
    [[nodiscard]] std::size_t send_some(std::span<const Frame> frames) noexcept;
    [[nodiscard]] SendOutcome hand_over(std::span<const Frame> frames) noexcept;
    [[nodiscard]] bool segments_less(std::size_t segment, int errno_value) noexcept;

    friend std::vector<std::unique_ptr<Channel>> open_udp_channels(std::span<const ChannelSpec> flows);

    SocketAddress to_;
    /// Shared by the channels of flows that have one socket; the last of them closes it.
    std::shared_ptr<const FileDescriptor> socket_;
    std::vector<std::string> warnings_;
    std::unique_ptr<TransmitStamps> stamps_;      ///< null: not asked for
    std::unique_ptr<KernelDeparture> departure_;  ///< null: packets leave when they are sent
    std::uint64_t missed_ = 0;                    ///< in its queue, as far as it was not told to stamps_
    std::size_t largest_segment_ = 0;             ///< of several in one message; 0: each packet is a message of its own
    std::size_t unsegmented_size_ = 0;            ///< the smallest size that the kernel would not segment; 0: none
    int unsegmented_errno_ = 0;                   ///< why
};

/// Channels of flows that share one socket. Throws: SystemError; UsageError when they cannot.
[[nodiscard]] std::vector<std::unique_ptr<Channel>> open_udp_channels(std::span<const ChannelSpec> flows);

}  // namespace groma
