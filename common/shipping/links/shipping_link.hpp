// One connection from a shipper to a log server, whatever carries it: frames go in and come out whole, in order, none
// twice, as long as the connection lives. One thread; nothing blocks but wait().
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

    /// Takes one whole serialized frame (its bytes are copied), or returns false while there is no room for it.
    /// Throws: SystemError when the connection is lost.
    [[nodiscard]] virtual bool send(std::span<const std::byte> frame) = 0;

    /// Moves what can be moved in both directions now. Throws: SystemError when the connection is lost.
    virtual void turn() = 0;

    /// The next whole frame that has come; valid until the next call of turn(). Throws: ProtocolError.
    [[nodiscard]] virtual std::optional<LogFrame> next() = 0;

    /// Sleeps until turn() has something to do, send() has room again after it had none, `wake_fd` is readable, or
    /// `until`.
    virtual void wait(int wake_fd, MonoTime until) = 0;
};

/// Makes a connection, which the clock outlives; the greeting (ShipperHello, ServerWelcome) is the caller's business.
/// Throws: SystemError.
using LinkOpener = std::function<std::unique_ptr<ShippingLink>(Clock&)>;

}  // namespace groma
