// A connection on its way from the thread that took it, as a receiver that calls in, to the run that awaits it.
// Thread: any.
#pragma once

#include <boost/asio/io_context.hpp>
#include <mutex>
#include <optional>

#include "common/control/connection.hpp"

namespace groma {

class AwaitedCall {
public:
    /// Takes the stream out of `connection`. Returns: false if there was a call already, or it is closed; then nothing
    /// is taken.
    bool give(ControlConnection& connection);

    /// Returns: nothing if no call has come. `io` is the one that the run's connections use; it and `clock` outlive the
    /// connection.
    [[nodiscard]] std::optional<ControlConnection> take(boost::asio::io_context& io, const SessionTimes& times,
                                                        Clock& clock);

private:
    std::mutex mutex_;
    ByteStream::Released call_;
    bool came_ = false;
};

}  // namespace groma
