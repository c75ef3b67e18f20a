#include "common/control/awaited_call.hpp"

#include <utility>

namespace groma {

bool AwaitedCall::give(ControlConnection& connection) {
    const std::lock_guard lock(mutex_);
    if (came_ or not connection.is_open()) {
        return false;
    }
    came_ = true;
    call_ = connection.release();
    return true;
}

std::optional<ControlConnection> AwaitedCall::take(boost::asio::io_context& io, const SessionTimes& times,
                                                   Clock& clock) {
    const std::lock_guard lock(mutex_);
    if (not call_.socket.valid()) {
        return std::nullopt;
    }
    return ControlConnection(ByteStream(io, std::move(call_)), times, clock);
}

}  // namespace groma
