#include "receiver/sender_caller.hpp"

#include <exception>
#include <optional>
#include <random>
#include <utility>

#include "common/base/plain_text.hpp"
#include "common/os/host.hpp"
#include "common/shipping/shipper/back_off.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr Callee kPassiveSender{.what = "sender", .program = "groma-send --passive", .needs_open = false};

}  // namespace

SenderCaller::SenderCaller(DialOptions sender, Surroundings around)
    : sender_(std::move(sender)), around_(std::move(around)), pause_(around_.executor, around_.clock) {}

bool SenderCaller::stop() {
    stopping_ = true;
    pause_.cancel();
    return connecting_;
}

asio::awaitable<void> SenderCaller::call_on(Attend attend) {
    std::minstd_rand random(static_cast<std::minstd_rand::result_type>(random_seed()));
    BackOff pause(around_.times.first_pause, around_.times.longest_pause);
    while (not stopping_) {
        if (co_await call(attend)) {
            pause.reset();
            if (sender_.once) {
                co_return;
            }
        }
        if (not stopping_) {
            co_await pause_.pause(pause.next(std::uniform_real_distribution(0.0, 1.0)(random)));
        }
    }
}

asio::awaitable<bool> SenderCaller::call(const Attend& attend) {
    std::optional<ControlConnection> connection;
    std::string reason;
    connecting_ = true;
    try {
        const SocketAddress address = resolve(sender_.host, sender_.port);
        connection.emplace(
            co_await ControlConnection::connect(address, around_.times, around_.clock, kPassiveSender, sender_.key));
        const Message call_in = CallIn{.program = around_.program, .name = sender_.name};
        co_await connection->write(call_in);
    } catch (const std::exception& error) {
        reason = error.what();
    }
    connecting_ = false;
    if (reason != unreachable_ and not reason.empty() and not stopping_) {
        around_.say(plain_text(reason) + "; calling on");
    }
    unreachable_ = reason;
    if (not reason.empty() or stopping_) {
        co_return false;
    }
    around_.say("called " + connection->peer() + " as " + plain_text(sender_.name));
    asio::awaitable<bool> session = attend(std::move(*connection));
    co_return co_await std::move(session);
}

}  // namespace groma
