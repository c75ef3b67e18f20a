// A connection to a log server over UDP (docs/reference/log-udp.md): a DatagramStream on a connected socket.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "common/access/access_key.hpp"
#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/shipping/datagram/datagram_opening.hpp"
#include "common/shipping/datagram/datagram_stream.hpp"
#include "common/shipping/datagram/udp_batch.hpp"
#include "common/shipping/links/shipping_link.hpp"
#include "common/shipping/protocol/log_frame_reader.hpp"
#include "common/shipping/protocol/log_frames.hpp"

namespace groma {

struct UdpLinkSettings {
    std::optional<OfferedKey> key{};  ///< that is proved to the server, and that the server must prove
    /// That leave this host at most, everything counted; nothing: as many as the path carries.
    std::optional<std::uint64_t> bytes_per_second{};
    ShippingTimes times{};
};

class UdpLink final : public ShippingLink {
public:
    /// Blocks until the server has accepted, ShippingTimes::connecting at most. The clock outlives the link.
    /// Throws: SystemError; RunError if the server refuses, for the key or for want of one.
    UdpLink(const SocketAddress& server, std::string peer, const UdpLinkSettings& settings, Clock& clock);
    UdpLink(const UdpLink&) = delete;
    UdpLink& operator=(const UdpLink&) = delete;
    /// Tells the server that it is over; whether that arrives is not waited for.
    ~UdpLink() override;

    [[nodiscard]] bool send(std::span<const std::byte> frame) override;
    void turn() override;
    [[nodiscard]] std::optional<LogFrame> next() override;
    void wait(int wake_fd, MonoTime until) override;

    [[nodiscard]] const DatagramStream& stream() const { return *stream_; }

private:
    void open(const UdpLinkSettings& settings);
    void begin(const AgreedConnection& agreed, const UdpLinkSettings& settings);
    void check_alive();
    void receive();
    void transmit();
    /// Returns: whether there is more to be tried now.
    bool send_failed(int error);
    [[nodiscard]] std::size_t path_datagram() const;
    void sleep_until(MonoTime until, int wake_fd) const;

    Clock& clock_;
    std::string peer_;
    bool is_ipv4_;
    FileDescriptor socket_;
    UdpBatch batch_;
    std::optional<DatagramStream> stream_;
    LogFrameReader frames_;
    bool is_refused_ = false;  ///< the server's host says that nothing listens there
    bool wants_room_ = false;  ///< send() had none
    std::size_t wanted_room_ = 0;
};

}  // namespace groma
