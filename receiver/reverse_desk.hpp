// What a receiver needs of a program that can also send, for peers that ask it to send (docs/guide/reverse.md).
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <functional>
#include <memory>
#include <string>

#include "common/control/connection.hpp"
#include "common/net/socket/resolver.hpp"

namespace groma {

/// Thread: the receiver's control thread.
class ReverseDesk {
public:
    ReverseDesk() = default;
    ReverseDesk(const ReverseDesk&) = delete;
    ReverseDesk& operator=(const ReverseDesk&) = delete;
    virtual ~ReverseDesk() = default;

    /// Serves a client from AskReverse to the end of its run, and closes the connection. Does not throw for what the
    /// client or the run does.
    virtual boost::asio::awaitable<void> serve(ControlConnection& connection) = 0;

    /// Gives the connection of a client that calls in as the receiver of its run to that run. Returns: why not; empty:
    /// it was given.
    [[nodiscard]] virtual std::string take_call(ControlConnection& connection, const std::string& name) = 0;

    /// Ends all runs; serve() then returns.
    virtual void stop() = 0;
};

/// All arguments outlive the desk.
using OpenReverseDesk = std::function<std::unique_ptr<ReverseDesk>(boost::asio::io_context&, Resolver&)>;

}  // namespace groma
