// The door of a flow of datagrams: a socket that waits for a good knock, and then a second one on the same port
// (SO_REUSEPORT) that is connected to where the knock came from and carries the flow. The kernel gives that one what
// comes from there; this one hears strangers, and the receiver when its NAT has given it a new address.
#pragma once

#include <memory>

#include "common/net/nat/door.hpp"
#include "common/os/file_descriptor.hpp"
#include "common/time/clock.hpp"

namespace groma {

class DatagramDoor final : public Door {
public:
    /// UDP or UDP-Lite. The clock outlives the door and its channel. Throws: SystemError.
    DatagramDoor(const DoorSpec& spec, Clock& clock);

    [[nodiscard]] std::unique_ptr<Channel> look() override;
    [[nodiscard]] int fd() const noexcept override { return door_.get(); }
    [[nodiscard]] SocketAddress local_address() const override { return local_; }
    [[nodiscard]] const DoorCounts& counts() const noexcept override { return counts_; }
    [[nodiscard]] const SocketAddress& elsewhere() const noexcept override { return elsewhere_; }
    [[nodiscard]] const SocketAddress& peer() const noexcept override { return peer_; }

private:
    /// Returns: where a good knock came from; nothing when no more has come for now.
    [[nodiscard]] std::optional<SocketAddress> next_good_knock() noexcept;
    [[nodiscard]] std::unique_ptr<Channel> meet(const SocketAddress& caller);
    void follow(const SocketAddress& caller) noexcept;
    [[nodiscard]] FileDescriptor second_socket() const;

    DoorSpec spec_;
    Clock& clock_;
    FileDescriptor door_;
    SocketAddress local_;
    FileDescriptor way_;  ///< the channel's socket once more, to connect it anew
    SocketAddress peer_;
    SocketAddress elsewhere_;
    DoorCounts counts_;
};

}  // namespace groma
