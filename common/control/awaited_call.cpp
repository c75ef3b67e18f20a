#include "common/control/awaited_call.hpp"

#include <sys/socket.h>

#include <utility>

namespace groma {

bool AwaitedCall::give(ControlConnection& connection) {
    const std::lock_guard lock(mutex_);
    if (came_ or not connection.is_open()) {
        return false;
    }
    came_ = true;
    ipv6_ = connection.local_address().family() == AF_INET6;
    socket_ = connection.release();
    return true;
}

std::optional<ControlConnection> AwaitedCall::take(boost::asio::io_context& io, const SessionTimes& times,
                                                   Clock& clock) {
    using boost::asio::ip::tcp;
    const std::lock_guard lock(mutex_);
    if (not socket_.valid()) {
        return std::nullopt;
    }
    return ControlConnection(tcp::socket(io, ipv6_ ? tcp::v6() : tcp::v4(), socket_.release()), times, clock);
}

}  // namespace groma
