#include "logserver/tcp_carrier.hpp"

#include <fcntl.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <utility>

#include "common/control/endpoint.hpp"
#include "common/os/checked.hpp"
#include "logserver/tcp_session.hpp"

namespace groma {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

ConversationPeer peer_of(const Entrant& entrant, const std::string& refusal) {
    boost::system::error_code error;
    const auto endpoint = entrant.stream.socket().remote_endpoint(error);
    ConversationPeer peer{.name = "a client", .host = ""};
    if (not error) {
        peer = peer_at(to_address(endpoint), entrant.grant);
    }
    peer.refusal = refusal;
    peer.lacks = entrant.refusal;
    return peer;
}

/// In the set for as long as it lives.
class Registration {
public:
    Registration(std::set<TcpSession*>& sessions, TcpSession* session) : sessions_(sessions), session_(session) {
        sessions_.insert(session_);
    }
    Registration(const Registration&) = delete;
    Registration& operator=(const Registration&) = delete;
    ~Registration() { sessions_.erase(session_); }

private:
    std::set<TcpSession*>& sessions_;
    TcpSession* session_;
};

}  // namespace

TcpCarrier::TcpCarrier(const ListenOptions& listen, Entrance& entrance, CarrierSurroundings surroundings)
    : entrance_(entrance),
      surroundings_(std::move(surroundings)),
      // Who is one too many is told so by the host of the conversations, which has those of other carriers as well.
      gate_(surroundings_.clock,
            {.slots = surroundings_.max_connections,
             .slots_of_host = surroundings_.max_connections,
             .later = entrance_.asks_for_keys()},
            kGateWords, surroundings_.report) {
    for (FileDescriptor& socket : open_listeners(addresses_to_listen_on(listen))) {
        addresses_.push_back(bound_address(socket));
        const auto protocol = addresses_.back().family() == AF_INET6 ? tcp::v6() : tcp::v4();
        // The acceptor owns a duplicate, the original is closed at the end of this turn.
        acceptors_.emplace_back(surroundings_.io, protocol,
                                checked("duplicate a socket", ::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0)));
    }
    for (tcp::acceptor& acceptor : acceptors_) {
        const auto take = [this](Caller caller) {
            asio::co_spawn(surroundings_.io, serve(std::move(caller)), asio::detached);
        };
        asio::co_spawn(surroundings_.io, gate_.accept(acceptor, take), asio::detached);
    }
}

TcpCarrier::~TcpCarrier() = default;

void TcpCarrier::stop() {
    gate_.stop();
    boost::system::error_code ignored;
    for (tcp::acceptor& acceptor : acceptors_) {
        acceptor.close(ignored);
    }
    for (TcpSession* session : sessions_) {
        session->close();
    }
}

asio::awaitable<void> TcpCarrier::serve(Caller caller) {
    try {
        std::optional<Entrant> entrant =
            co_await entrance_.let_in(std::move(caller.socket), true, surroundings_.times.greeting);
        // One that lacks a key has its place in the lobby until it has been told.
        const bool later = entrant and entrance_.asks_for_keys() and entrant->refusal.empty();
        if (not entrant or (later and not gate_.give_slot(caller, {}))) {
            co_return;
        }
        ConversationPeer peer = peer_of(*entrant, caller.refusal);
        const bool keyed = entrant->grant.has_value();
        const std::string name = peer.name;
        const auto session = std::make_shared<TcpSession>(std::move(entrant->stream), std::move(peer),
                                                          std::move(caller.slot), surroundings_);
        const Registration registration(sessions_, session.get());
        if (keyed) {
            const std::weak_ptr<TcpSession> weak = session;
            entrance_.end_with_key(
                {.key = entrant->key, .caller = name, .alive = weak, .end = [weak] { weak.lock()->lose(kKeyIsLost); }});
        }
        co_await session->run();
    } catch (const std::exception& error) {
        surroundings_.report(std::string("a connection ended: ") + error.what());
    }
}

}  // namespace groma
