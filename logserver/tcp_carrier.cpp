#include "logserver/tcp_carrier.hpp"

#include <fcntl.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>

#include "common/os/checked.hpp"
#include "logserver/tcp_session.hpp"

namespace groma {

namespace asio = boost::asio;
using asio::ip::tcp;

namespace {

// After accept() failed for want of descriptors or memory.
constexpr auto kAcceptPause = std::chrono::milliseconds(100);

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

TcpCarrier::TcpCarrier(const ListenOptions& listen, CarrierSurroundings surroundings)
    : surroundings_(std::move(surroundings)) {
    for (FileDescriptor& socket : open_listeners(addresses_to_listen_on(listen))) {
        addresses_.push_back(bound_address(socket));
        const auto protocol = addresses_.back().family() == AF_INET6 ? tcp::v6() : tcp::v4();
        // The acceptor owns a duplicate, the original is closed at the end of this turn.
        acceptors_.emplace_back(surroundings_.io, protocol,
                                checked("duplicate a socket", ::fcntl(socket.get(), F_DUPFD_CLOEXEC, 0)));
    }
    for (tcp::acceptor& acceptor : acceptors_) {
        asio::co_spawn(surroundings_.io, accept(acceptor), asio::detached);
    }
}

TcpCarrier::~TcpCarrier() = default;

void TcpCarrier::stop() {
    boost::system::error_code ignored;
    for (tcp::acceptor& acceptor : acceptors_) {
        acceptor.close(ignored);
    }
    for (TcpSession* session : sessions_) {
        session->close();
    }
}

asio::awaitable<void> TcpCarrier::accept(tcp::acceptor& acceptor) {
    while (acceptor.is_open()) {
        boost::system::error_code error;
        tcp::socket socket = co_await acceptor.async_accept(asio::redirect_error(asio::use_awaitable, error));
        if (not error) {
            asio::co_spawn(surroundings_.io, serve(std::move(socket)), asio::detached);
        } else if (acceptor.is_open()) {
            surroundings_.report("cannot accept a connection: " + error.message());
            asio::steady_timer pause(surroundings_.io, kAcceptPause);
            co_await pause.async_wait(asio::redirect_error(asio::use_awaitable, error));
        }
    }
}

asio::awaitable<void> TcpCarrier::serve(tcp::socket socket) {
    try {
        TcpSession session(std::move(socket), surroundings_);
        const Registration registration(sessions_, &session);
        co_await session.run();
    } catch (const std::exception& error) {
        surroundings_.report(std::string("a connection ended: ") + error.what());
    }
}

}  // namespace groma
