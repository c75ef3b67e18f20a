#include "common/control/supervision.hpp"

#include <csignal>
#include <utility>

namespace groma {

Supervision::Supervision(boost::asio::io_context& io) : signals_(io) {}

void Supervision::begin(std::function<void()> stop) {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([stop = std::move(stop)](const boost::system::error_code& error, int /*signal*/) {
        if (not error) {
            stop();
        }
    });
}

void Supervision::end() {
    boost::system::error_code ignored;
    signals_.clear(ignored);
    signals_.cancel(ignored);
}

}  // namespace groma
