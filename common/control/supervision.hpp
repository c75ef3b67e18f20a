// What a daemon hears from those who run it, and tells them: signals, and a service manager such as systemd.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>

#include "common/control/timer.hpp"

namespace groma {

/// Thread: the io_context's. The clock outlives the object.
class Supervision {
public:
    Supervision(boost::asio::io_context& io, Clock& clock);

    /// The daemon listens. From now on SIGINT and SIGTERM call `stop`. A service manager hears that the daemon is
    /// ready, and, if it has WatchdogSec=, twice in that time that its thread still works (sd_notify(3)).
    void begin(std::function<void()> stop);

    /// The daemon stops: a second signal ends the program at once. Does nothing before begin().
    void end();

private:
    void beat();

    boost::asio::signal_set signals_;
    Timer next_beat_;
    bool begun_ = false;
    Nanos between_beats_{0};  ///< 0: nobody waits for them
};

}  // namespace groma
