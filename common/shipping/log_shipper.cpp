#include "common/shipping/log_shipper.hpp"

#include <poll.h>

#include <algorithm>
#include <array>
#include <utility>

#include "common/base/errors.hpp"

namespace groma {

namespace {

// How often the shipping thread looks at its patience when nothing happens.
constexpr int kLookMs = 250;

}  // namespace

LogShipper::LogShipper(Consignment consignment, LogLink link, ShipmentQueue& queue)
    : consignment_(std::move(consignment)),
      queue_(queue),
      link_(std::move(link)),
      last_progress_(clock_.now()),
      pause_(consignment_.limits.first_pause) {}

void LogShipper::run() noexcept {
    try {
        ship();
    } catch (...) {
        queue_.fail(std::current_exception());
    }
}

void LogShipper::ship() {
    while (not queue_.over()) {
        try {
            if (link_) {
                talk();
            } else {
                await_work();
                check_patience();
                reconnect();
            }
        } catch (const SystemError& error) {
            connection_lost(error.what());
        } catch (const LogServerBusy& error) {
            connection_lost(error.what());
        }
    }
}

void LogShipper::await_work() {
    if (not queue_.unconfirmed()) {
        queue_.wait_for_work();
        last_progress_ = clock_.now();
    }
}

void LogShipper::connection_lost(const std::string& why) {
    link_.reset();
    rest_ = {};
    last_fault_ = why;
    if (not queue_.unconfirmed()) {
        return;
    }
    queue_.pause(pause_);
    pause_ = std::min(2 * pause_, consignment_.limits.longest_pause);
}

void LogShipper::check_patience() {
    const MonoTime now = clock_.now();
    if (now - last_progress_ <= consignment_.limits.patience) {
        return;
    }
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(consignment_.limits.patience).count();
    throw ProtocolError(
        consignment_.peer,
        "did not confirm the log '" + consignment_.log.name + "' for " + std::to_string(seconds) + " s (" +
            last_fault_ + "); " + std::to_string(queue_.waiting_bytes()) +
            " bytes are not on its disk; check that groma-log runs there, and keep a copy with --log FILE");
}

void LogShipper::reconnect() {
    if (queue_.over()) {
        return;
    }
    const auto& limits = consignment_.limits;
    link_ = LogLink::open(consignment_.server, consignment_.peer, consignment_.log, limits.connect);
    if (not queue_.resume_at(link_->durable())) {
        throw ProtocolError(consignment_.peer, "lost pieces of the log '" + consignment_.log.name +
                                                   "' that it had acknowledged, or claims pieces that it never got");
    }
}

void LogShipper::talk() {
    while (link_ and not queue_.over()) {
        if (not queue_.unconfirmed()) {
            last_progress_ = clock_.now();
        }
        check_patience();
        wait_for_events();
        hear();
        send_some();
    }
}

void LogShipper::wait_for_events() {
    if (rest_.empty()) {
        rest_ = queue_.next_to_send().value_or(std::span<const std::byte>{});
    }
    const auto wanted = static_cast<short>(rest_.empty() ? POLLIN : POLLIN | POLLOUT);
    std::array<pollfd, 2> entries{pollfd{.fd = link_->fd(), .events = wanted, .revents = 0},
                                  pollfd{.fd = queue_.wake_fd(), .events = POLLIN, .revents = 0}};
    ::poll(entries.data(), entries.size(), kLookMs);
    queue_.clear_wake();
}

void LogShipper::hear() {
    link_->receive();
    while (const auto frame = link_->next()) {
        heard(*frame);
    }
}

void LogShipper::heard(const LogFrame& frame) {
    last_progress_ = clock_.now();
    pause_ = consignment_.limits.first_pause;
    if (const auto* durable = std::get_if<LogDurable>(&frame)) {
        if (not queue_.acknowledge(durable->pieces)) {
            throw ProtocolError(consignment_.peer, "acknowledged pieces that it cannot have");
        }
    } else if (std::holds_alternative<LogClosed>(frame)) {
        queue_.finish();
    } else {
        throw ProtocolError(consignment_.peer, "sent what a log server does not send");
    }
}

void LogShipper::send_some() {
    while (not queue_.over()) {
        if (rest_.empty()) {
            rest_ = queue_.next_to_send().value_or(std::span<const std::byte>{});
        }
        if (rest_.empty()) {
            return;
        }
        const std::size_t taken = link_->send(rest_);
        if (taken == 0) {
            return;
        }
        rest_ = rest_.subspan(taken);
        if (rest_.empty()) {
            queue_.sent();
        }
    }
}

}  // namespace groma
