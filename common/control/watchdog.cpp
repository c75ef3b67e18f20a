#include "common/control/watchdog.hpp"

namespace groma {

Watchdog::Watchdog(boost::asio::ip::tcp::socket& socket, Nanos limit)
    : watched_(std::make_shared<Watched>(Watched{.socket = &socket, .fired = false})),
      timer_(socket.get_executor(), limit) {
    timer_.async_wait([watched = watched_](const boost::system::error_code& error) {
        if (error or watched->socket == nullptr) {
            return;
        }
        watched->fired = true;
        boost::system::error_code ignored;
        watched->socket->close(ignored);
    });
}

}  // namespace groma
