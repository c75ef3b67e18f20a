// One TCP connection to a log server as a ShippingLink. Never blocks but in open() and wait(); one thread.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "common/net/socket/socket_address.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/shipping/links/shipping_link.hpp"
#include "common/shipping/protocol/log_frames.hpp"

namespace groma {

class TcpLink final : public ShippingLink {
public:
    /// Connects. `peer` stands in messages. The clock outlives the link. Throws: SystemError.
    TcpLink(const SocketAddress& server, std::string peer, const ShippingTimes& times, Clock& clock);

    [[nodiscard]] bool send(std::span<const std::byte> frame) override;
    void turn() override;
    [[nodiscard]] std::optional<LogFrame> next() override { return frames_.next(); }
    void wait(int wake_fd, MonoTime until) override;

private:
    void receive();
    void flush();
    [[nodiscard]] std::size_t waiting() const { return outgoing_.size() - sent_; }

    Clock& clock_;
    std::string peer_;
    FileDescriptor socket_;
    LogFrameReader frames_;
    std::vector<std::byte> outgoing_;
    std::size_t sent_ = 0;  ///< of outgoing_
    int send_error_ = 0;    ///< what the kernel said; thrown when nothing is left to hear
};

}  // namespace groma
