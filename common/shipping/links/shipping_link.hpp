// One connection from a shipper to a log server over any transport: delivers complete frames in order, without
// duplicates, as long as the connection lives. Thread: one. Only wait() blocks.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "common/shipping/protocol/log_frames.hpp"
#include "common/time/clock.hpp"

namespace groma {

class ShippingLink {
public:
    ShippingLink() = default;
    ShippingLink(const ShippingLink&) = delete;
    ShippingLink& operator=(const ShippingLink&) = delete;
    virtual ~ShippingLink() = default;

    /// Takes one complete serialized frame (copies its bytes). Returns: false if there is no room now. Throws:
    /// SystemError if the connection is lost.
    [[nodiscard]] virtual bool send(std::span<const std::byte> frame) = 0;

    /// Moves all possible data in both directions now. Throws: SystemError if the connection is lost.
    virtual void turn() = 0;

    /// The next complete frame received; valid until the next call of turn(). Throws: ProtocolError.
    [[nodiscard]] virtual std::optional<LogFrame> next() = 0;

    /// Sleeps until turn() has work, send() has room again after it had none, `wake_fd` is readable, or `until`.
    virtual void wait(int wake_fd, MonoTime until) = 0;
};

/// Opens a connection. The caller exchanges the greeting (ShipperHello, ServerWelcome). The clock outlives the link.
/// Throws: SystemError.
using LinkOpener = std::function<std::unique_ptr<ShippingLink>(Clock&)>;

}  // namespace groma
