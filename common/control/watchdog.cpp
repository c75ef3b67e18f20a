#include "common/control/watchdog.hpp"

namespace groma {

Watchdog::Watchdog(boost::asio::ip::tcp::socket& socket, Nanos limit, Clock& clock)
    : socket_(socket), timer_(socket.get_executor(), clock), part_(limit / kParts) {
    wait_for_a_part();
}

void Watchdog::wait_for_a_part() {
    timer_.call_after(part_, [self = self_] {
        if (*self != nullptr) {
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
