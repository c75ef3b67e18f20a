#include "common/control/watchdog.hpp"

namespace groma {

Watchdog::Watchdog(boost::asio::ip::tcp::socket& socket, Nanos limit)
    : socket_(socket), timer_(socket.get_executor()), part_(limit / kParts) {
    wait_for_a_part();
}

void Watchdog::wait_for_a_part() {
    timer_.expires_after(part_);
    timer_.async_wait([self = self_](const boost::system::error_code& error) {
        if (not error and *self != nullptr) {
            (*self)->end_a_part();
        }
    });
}

void Watchdog::end_a_part() {
    if (--parts_left_ > 0) {
        wait_for_a_part();
        return;
    }
    boost::system::error_code ignored;
    socket_.close(ignored);
}

}  // namespace groma
