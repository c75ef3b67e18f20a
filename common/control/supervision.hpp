// What a daemon hears from those who run it: signals.
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <functional>

namespace groma {

/// Thread: the io_context's.
class Supervision {
public:
    explicit Supervision(boost::asio::io_context& io);

    /// From now on SIGINT and SIGTERM call `stop`.
    void begin(std::function<void()> stop);

    /// The daemon stops: a second signal ends the program at once.
    void end();

private:
    boost::asio::signal_set signals_;
};

}  // namespace groma
