// Calls the sender that a receiver dials, which cannot reach it (docs/guide/nat.md), until a session has come of it.
#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <functional>
#include <string>

#include "common/control/connection.hpp"
#include "common/control/timer.hpp"
#include "common/net/socket/time_limits.hpp"
#include "common/time/clock.hpp"
#include "receiver/receiver_server.hpp"

namespace groma {

/// Thread: the executor's.
class SenderCaller {
public:
    struct Surroundings {
        boost::asio::any_io_executor executor;
        Clock& clock;
        const SessionTimes& times;
        std::string program;
        std::function<void(const std::string&)> say;  ///< takes one line per event
    };
    /// Serves the session of a connection. Returns: whether it received packets.
    using Attend = std::function<boost::asio::awaitable<bool>(ControlConnection)>;

    /// Clock and times outlive this object.
    SenderCaller(DialOptions sender, Surroundings around);

    /// Calls repeatedly: retries a sender that is unreachable, busy, or refuses. Returns after stop(); with
    /// DialOptions::once also after a session that received packets.
    boost::asio::awaitable<void> call_on(Attend attend);

    /// Makes no further call. Returns: whether one is being connected, which goes on.
    [[nodiscard]] bool stop();

private:
    boost::asio::awaitable<bool> call(const Attend& attend);

    DialOptions sender_;
    Surroundings around_;
    Timer pause_;
    std::string unreachable_;  ///< the error of the last call; empty: none
    bool connecting_ = false;
    bool stopping_ = false;
};

}  // namespace groma
