#include "common/control/supervision.hpp"

#include <systemd/sd-daemon.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <utility>

namespace groma {

namespace {

/// Where no service manager started the program, it tells nobody.
void tell_manager(const char* state) {
    static_cast<void>(::sd_notify(0, state));
}

Nanos awaited_between_beats() {
    std::uint64_t microseconds = 0;
    const bool awaited = ::sd_watchdog_enabled(0, &microseconds) > 0;
    return awaited ? Nanos(std::chrono::microseconds(microseconds)) / 2 : Nanos{0};
}

}  // namespace

Supervision::Supervision(boost::asio::io_context& io, Clock& clock)
    : signals_(io), next_beat_(io.get_executor(), clock) {}

void Supervision::begin(std::function<void()> stop) {
    signals_.add(SIGINT);
    signals_.add(SIGTERM);
    signals_.async_wait([stop = std::move(stop)](const boost::system::error_code& error, int /*signal*/) {
        if (not error) {
            stop();
        }
    });
    begun_ = true;
    tell_manager("READY=1");
    between_beats_ = awaited_between_beats();
    beat();
}

void Supervision::end() {
    if (not std::exchange(begun_, false)) {
        return;
    }
    boost::system::error_code ignored;
    signals_.clear(ignored);
    signals_.cancel(ignored);
    tell_manager("STOPPING=1");
    between_beats_ = Nanos{0};
    next_beat_.cancel();
}

void Supervision::beat() {
    if (between_beats_ > Nanos{0}) {
        tell_manager("WATCHDOG=1");
        next_beat_.call_after(between_beats_, [this] { beat(); });
    }
}

}  // namespace groma
