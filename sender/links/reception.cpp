#include "sender/links/reception.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/use_future.hpp>
#include <mutex>
#include <utility>

#include "common/access/first_messages.hpp"
#include "common/base/errors.hpp"
#include "common/base/plain_text.hpp"
#include "common/control/connection_gate.hpp"
#include "common/control/control_listeners.hpp"
#include "common/control/entrance.hpp"

namespace groma {

namespace {

namespace asio = boost::asio;

constexpr Role kRoleOfCallers = role_to_begin(Server::passive_sender, "call_in").value();
constexpr GateWords kWords{.daemon = "this sender", .connection = "call"};
constexpr EntranceWords kEntranceWords{.daemon = "this sender", .clients = "receivers"};
constexpr std::string_view kPortTaken = "is another groma-send --passive running? Give another port";

}  // namespace

struct Reception::State {
    State(asio::io_context& io, const std::vector<SocketAddress>& listen, const SessionTimes& times_of_callers,
          ReceptionDesk its_desk)
        : desk(std::move(its_desk)),
          times(times_of_callers),
          listeners(listen_all(io, listen, kPortTaken)),
          gate(desk.clock, {.later = not desk.keys.empty()}, kWords, [](const std::string& /*line*/) {}),
          entrance(io, {.folder = desk.keys}, kEntranceWords, desk.clock, [this](const std::string& line) {
              const std::lock_guard lock(mutex);
              lines.push_back(line);
          }) {}

    ReceptionDesk desk;
    SessionTimes times;
    ControlListeners listeners;
    ConnectionGate gate;
    std::mutex mutex;
    std::vector<std::string> lines;  ///< that were not taken yet
    Entrance entrance;
    bool closed = false;
};

namespace {

template <typename State>
asio::awaitable<void> greet(std::shared_ptr<State> state, Caller caller) {
    std::optional<ControlConnection> admitted =
        co_await state->entrance.admit(std::move(caller.socket), caller.refusal, state->times, nullptr);
    if (not admitted) {
        co_return;
    }
    ControlConnection& connection = *admitted;
    const bool later = state->entrance.asks_for_keys();
    if (later and not state->gate.give_slot(caller, connection.peer_address().host_to_string())) {
        co_return;
    }
    std::string refusal = caller.refusal;
    std::string name;
    try {
        if (refusal.empty()) {
            const Message first = co_await connection.read_any();
            name = caller_of(first, connection.grant(), connection.peer());
        }
    } catch (const std::exception& error) {
        refusal = error.what();
    }
    if (state->closed and refusal.empty()) {
        refusal = "the sender awaits no further receiver";
    } else if (refusal.empty()) {
        refusal = state->desk.refusal(name);
    }
    if (refusal.empty()) {
        connection.allow(kMaxMessageBytes);
        state->desk.seat(name, std::move(connection));
    } else if (connection.is_open()) {
        const Message last = Refused{.reason = refusal, .flow = std::nullopt};
        co_await connection.close_with(last);
    }
}

}  // namespace

std::string caller_of(const Message& first, const std::optional<Grant>& grant, const std::string& peer) {
    const auto* const call = std::get_if<CallIn>(&first);
    if (call == nullptr) {
        throw ProtocolError(peer, "the first message on this port must be 'call_in', of a groma-recv --dial");
    }
    if (std::string lack = grant ? lack_in_words(*grant, kRoleOfCallers) : ""; not lack.empty()) {
        throw RunError(lack);
    }
    return plain_text(call->name);
}

Reception::Reception(asio::io_context& io, const std::vector<SocketAddress>& listen, const SessionTimes& times,
                     ReceptionDesk desk)
    : state_(std::make_shared<State>(io, listen, times, std::move(desk))) {
    const auto take = [&io, state = state_](Caller caller) {
        asio::co_spawn(io, greet(state, std::move(caller)), asio::detached);
    };
    for (auto& acceptor : state_->listeners.acceptors) {
        asio::co_spawn(io, state_->gate.accept(acceptor, take), asio::detached);
    }
}

Reception::~Reception() {
    const auto close = [state = state_] {
        state->closed = true;
        state->gate.stop();
        for (auto& acceptor : state->listeners.acceptors) {
            boost::system::error_code ignored;
            acceptor.close(ignored);
        }
    };
    if (not state_->listeners.acceptors.empty()) {
        asio::post(state_->listeners.acceptors.front().get_executor(), asio::use_future(close)).get();
    }
}

std::vector<std::string> Reception::take_lines() {
    const std::lock_guard lock(state_->mutex);
    return std::exchange(state_->lines, {});
}

std::string Reception::where() const {
    std::string text;
    for (const SocketAddress& address : state_->listeners.addresses) {
        text.append(text.empty() ? "" : ", ").append(address.to_string());
    }
    return text;
}

}  // namespace groma
