#include "common/shipping/shipper/shipping_thread.hpp"

#include <poll.h>

#include <algorithm>
#include <utility>

#include "common/base/errors.hpp"
#include "common/os/process.hpp"

namespace groma {

namespace {

void sleep_on(int wake_fd, Nanos limit) {
    pollfd entry{.fd = wake_fd, .events = POLLIN, .revents = 0};
    const auto milliseconds = std::chrono::ceil<std::chrono::milliseconds>(limit).count();
    ::poll(&entry, 1, static_cast<int>(std::clamp<std::int64_t>(milliseconds, 0, 60'000)));
}

}  // namespace

ShippingThread::ShippingThread(const ShippingSettings& settings, Clock& clock, SharedConversation& conversation)
    : settings_(settings), clock_(clock), conversation_(conversation), thread_([this] { run(); }) {}

ShippingThread::~ShippingThread() {
    stopping_ = true;
    conversation_.wake();
    thread_.join();
}

void ShippingThread::run() {
    set_thread_name("log-shipping");
    while (not stopping_) {
        conversation_.clear_wake();
        if (std::optional<Error> error = try_turn()) {
            if (error->failure) {
                conversation_.fail_logs(std::move(error->failure), error->every_log);
            }
            link_.reset();
            conversation_.lost(error->what);
        }
        report_warnings();
    }
    report_warnings();
    link_.reset();
}

std::optional<ShippingThread::Error> ShippingThread::try_turn() {
    try {
        turn();
        return std::nullopt;
    } catch (const LogServerRefusal& error) {
        return refused(error.what(), true);
    } catch (const RunError& error) {
        return link_ ? Error{nullptr, false, error.what()} : refused(error.what(), false);
    } catch (const LogServerBusy& error) {
        return Error{std::make_exception_ptr(ProtocolError(settings_.peer, error.what())), false, error.what()};
    } catch (const std::exception& error) {
        return Error{link_ ? nullptr : std::current_exception(), false, error.what()};
    }
}

ShippingThread::Error ShippingThread::refused(const std::string& why, bool every_log) const {
    if (settings_.without_key.empty()) {
        return {std::current_exception(), every_log, why};
    }
    const std::string words = why + "; " + settings_.without_key;
    return {std::make_exception_ptr(RunError(words)), every_log, words};
}

void ShippingThread::turn() {
    if (link_) {
        link_->turn();
        const MonoTime until = conversation_.converse(*link_);
        link_->wait(conversation_.wake_fd(), until);
        return;
    }
    const MonoTime connect_at = conversation_.connect_at();
    if (const MonoTime now = clock_.now(); now < connect_at) {
        sleep_on(conversation_.wake_fd(), connect_at - now);
        return;
    }
    link_ = settings_.open(clock_);  // may block; the lock is free meanwhile
    conversation_.connected();
}

void ShippingThread::report_warnings() {
    const std::vector<std::string> warnings = conversation_.take_warnings(stopping_);
    if (settings_.report) {
        std::ranges::for_each(warnings, settings_.report);
    }
}

}  // namespace groma
