#include "sender/reception.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <utility>

#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/control_listeners.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr auto kAsTuple = asio::as_tuple(asio::use_awaitable);
/// Callers that may be at the desk at one time; more are just closed.
constexpr std::size_t kMostCallers = 64;
/// How long to wait when the kernel has no descriptor for one more connection.
constexpr auto kAcceptPause = std::chrono::milliseconds(200);
constexpr std::string_view kPortTaken = "is another groma-send --passive running? Give another port";

}  // namespace

struct Reception::State {
    ReceptionDesk desk;
    SessionTimes times;
    ControlListeners listeners;
    std::size_t callers = 0;
    bool closed = false;
};

namespace {

template <typename State>
asio::awaitable<void> greet(std::shared_ptr<State> state, ControlConnection connection) {
    std::string refusal;
    std::string name;
    try {
        const Message first = co_await connection.read_any();
        if (const auto* const call = std::get_if<CallIn>(&first)) {
            name = plain_text(call->name);
        } else {
            refusal = "the first message on this port must be 'call_in', of a groma-recv --dial";
        }
    } catch (const ProtocolError& error) {
        refusal = error.what();
    }
    if (refusal.empty() and not state->closed) {
        refusal = state->desk.refusal(name);
    }
    if (state->closed or not refusal.empty()) {
        const Message last =
            Refused{.reason = refusal.empty() ? std::string("the sender awaits nobody any more") : refusal,
                    .flow = std::nullopt};
        if (connection.is_open()) {
            co_await connection.close_with(last);
        }
    } else {
        state->desk.seat(name, std::move(connection));
    }
    --state->callers;
}

template <typename State>
asio::awaitable<void> accept(std::shared_ptr<State> state, asio::ip::tcp::acceptor& acceptor) {
    asio::steady_timer pause(acceptor.get_executor());
    while (not state->closed) {
        auto [error, socket] = co_await acceptor.async_accept(kAsTuple);
        if (state->closed) {
            co_return;
        }
        if (error) {
            pause.expires_after(kAcceptPause);
            co_await pause.async_wait(kAsTuple);
        } else if (state->callers < kMostCallers) {
            ++state->callers;
            asio::co_spawn(acceptor.get_executor(), greet(state, ControlConnection(std::move(socket), state->times)),
                           asio::detached);
        }
    }
}

}  // namespace

Reception::Reception(asio::io_context& io, const std::vector<SocketAddress>& listen, const SessionTimes& times,
                     ReceptionDesk desk)
    : state_(std::make_shared<State>()) {
    state_->desk = std::move(desk);
    state_->times = times;
    state_->listeners = listen_all(io, listen, kPortTaken);
    for (auto& acceptor : state_->listeners.acceptors) {
        asio::co_spawn(io, accept(state_, acceptor), asio::detached);
    }
}

Reception::~Reception() {
    const auto close = [state = state_] {
        state->closed = true;
        for (auto& acceptor : state->listeners.acceptors) {
            boost::system::error_code ignored;
            acceptor.close(ignored);
        }
    };
    if (not state_->listeners.acceptors.empty()) {
        asio::post(state_->listeners.acceptors.front().get_executor(), asio::use_future(close)).get();
    }
}

std::string Reception::where() const {
    std::string text;
    for (const SocketAddress& address : state_->listeners.addresses) {
        text.append(text.empty() ? "" : ", ").append(address.to_string());
    }
    return text;
}

}  // namespace groma
